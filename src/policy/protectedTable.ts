/** Private names, and closed and protected places outside the workspace, as data. Matched case-folded and NFC. */

/** Files and folders that no tool reads or writes, with everything below them. */
// By convention the `.git` file of a directory of worktrees points to `.bare`.
export const hardDenied: readonly string[] = ['.git', '.bare'];

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
