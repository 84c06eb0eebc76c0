/**
 * The built-in table of closed paths (threat row A8), and of protected places outside the workspace, as data. A pattern names a file or directory by its last
 * segments, at any depth of the workspace, with everything below it. Matched case-folded and NFC.
 */
// By convention the `.git` file of a directory of worktrees points to `.bare`.
export const hardDenied: readonly string[] = ['.git', '.bare'];

export const secret: readonly string[] = [
  '.env',
  '.env.*',
  '*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk}',
  'id_{rsa,dsa,ecdsa,ed25519}*',
  '*credentials*.json',
  'service-account*.json',
  'secrets',
  '.netrc',
  '.git-credentials',
  '*.tfstate*',
  '.htpasswd',
  '.{bash,zsh,sh,python,node_repl,psql,mysql,sqlite,rediscli}_history',
  'consolehost_history.txt',
];

/** Names that `.env.*` matches although they hold no secrets. */
export const sampleEnvironments: readonly string[] = ['example', 'sample', 'template'];

/** Trees below the home directory that are never opened, whatever the workspace. */
export const hardDeniedInHome: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.kube',
  '.docker/config.json',
  '.password-store',
  '.local/share/keyrings',
  'Library/Keychains',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.config/microsoft-edge',
  '.config/BraveSoftware',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
  'Library/Safari',
  'AppData/Local/Google/Chrome',
  'AppData/Local/Microsoft/Edge',
  'AppData/Local/Microsoft/Credentials',
  'AppData/Roaming/Microsoft/Credentials',
  'AppData/Roaming/Mozilla',
];

/** Directories where programs keep their configuration, besides all `~/.*`. */
export const protectedInHome: readonly string[] = ['Library/Preferences', 'Library/LaunchAgents', 'AppData/Roaming'];

/** Trees of the kernel, which hold no ordinary files. */
export const hardDeniedTrees: readonly string[] = ['/proc', '/sys', '/dev'];
