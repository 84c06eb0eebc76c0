/**
 * The built-in table of protected and secret paths (threat rows P16 and A8), as data. A pattern names a file or directory by its last
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

export const protectedPaths: readonly string[] = [
  // The stricter rules of a repository for this extension
  '.drawbridge',
  // The editor
  '.vscode',
  '*.code-workspace',
  '.idea',
  '.devcontainer',
  '.editorconfig',
  // Assistants
  '.mcp.json',
  'mcp.json',
  '.cursor',
  '.cursorrules',
  '.claude',
  'claude.md',
  'claude.local.md',
  'agents.md',
  'gemini.md',
  '.gemini',
  '.qwen',
  '.factory',
  '.codex',
  '.roo',
  '.clinerules*',
  '.windsurf*',
  '.zed',
  '.opencode',
  'opencode.{json,jsonc}',
  '.goosehints',
  'claude_desktop_config.json',
  '.junie',
  '.github/copilot-instructions.md',
  '.github/{instructions,prompts,agents,chatmodes,skills,hooks,copilot}',
  // Files that run code later
  'node_modules',
  '.github/{workflows,actions}',
  '.gitlab-ci.yml',
  'jenkinsfile',
  '.circleci',
  'azure-pipelines*.{yml,yaml}',
  '.husky',
  '.pre-commit-config.yaml',
  'lefthook*.{yml,yaml,toml,json}',
  '.lefthook*',
  '.gitattributes',
  '.gitmodules',
  '.gitconfig',
  'makefile',
  // GNU make prefers it to a Makefile.
  'gnumakefile',
  '.npmrc',
  '.yarnrc*',
  '.pnpmfile.{cjs,mjs}',
  '.pypirc',
  'pip.conf',
  'setup.py',
  'conftest.py',
  'build.rs',
  '.cargo/config*',
  'gradle/wrapper',
  '.mvn',
  '.envrc',
  '.tool-versions',
  'mise*.toml',
  '.mise*.toml',
  'dockerfile*',
  'docker-compose*',
  'compose*.{yml,yaml}',
  // Scripts are protected by name alone, without a look at the executable bit, which is stricter.
  '*.{ps1,bat,cmd,sh}',
];

/** The protected patterns that an allow rule may open. */
export const ruleableProtected: ReadonlySet<string> = new Set(['**/makefile']);

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
