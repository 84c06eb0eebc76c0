import type { FoundFile } from '#base/files.ts';
import { fold, isSourceCode } from '#policy/nameRules.ts';
import type { JudgedPath } from '#policy/protectedPaths.ts';
import type { FileQuery, Search } from '#search/search.ts';

/** Names, and beginnings and ends of names, of environments, keys, logins and histories. */
const inertNames =
  /(?:^|\/)(?:\.[^./]+|(?:\.envrc|\.dev\.vars|\.secrets|id_|\.?vault[_-]pass)[^/]*|(?:[^/]*\.)?env(?:[-.][^/]*)?|(?:_?netrc|htpasswd|\.htpasswd\.[^/]*)|[^/]*_(?:rsa|dsa|ecdsa|ed25519|history)|(?:secrets|credentials|dockercfg|kubeconfig|s3cfg|vault-token|git-credentials|pgpass|tugboat|proftpdpasswd|terraform\.rc|\.config\/hub|known_hosts|authorized_keys)|\.(?:aws|oci|ssh|kube|irssi)\/config|\.aws\/credentials[^/]*|\.azure\/[^/]*)$/i;

/** Extensions of keys, stores, encrypted files, and data, whose values have no literal types. */
const inertExtensions =
  /\.(?:pem|key(?:pair|store|ring|chain)?|private_key|p8|p12|pfx|pkcs12|jks|bks|truststore|ppk|snk|kdbx?|psafe3|agilekeychain|kwallet|bek|fve|tpm|crt|cer|der|asc|gpg|pub|enc|secrets?|credentials|kubeconfig|json[c5]?|ya?ml|toml|ini|cfg|conf|cnf|properties|plist|xml|csv|txt|md|tf(?:state|vars)[^/]*|sqlite3?|db|ovpn|tblk|rdp|png|jpe?g|gif|zip|gz)$/i;

/** Folders in which closed files are not looked for: their packages are public. */
const elsewhere: readonly string[] = ['**/node_modules/**'];

interface Closing {
  readonly search: Pick<Search, 'closedFiles' | 'files'>;
  readonly within: FileQuery['within'];
  /** Returns whether a call may read a file; undefined when only names close files. */
  readonly mayRead: ((place: JudgedPath) => boolean) | undefined;
}

/**
 * Returns whether the workspace has a closed file whose literals a language service may show: in the type of a constant that is
 * imported from it, in the message about a wrong argument (threat row A31). The literals of such a workspace are left out
 * altogether: comparing them with those of the closed file would tell which they are.
 */
export async function hasClosedCode({ search, within, mayRead }: Closing, signal: AbortSignal): Promise<boolean> {
  const query = { within, include: [], exclude: elsewhere, includeIgnored: true };
  if (await some(search.closedFiles(query, signal), isCode)) return true;
  return mayRead !== undefined && some(search.files(query, signal), (file) => isCode(file) && !mayRead(file));
}

/**
 * Returns whether a language service may take the literals that it shows from a closed file. Names do not close source code in known
 * languages, so this is what a rule closes, or a name that says nothing of the content: a name that is not listed counts as code.
 */
function isCode({ path }: Pick<FoundFile, 'path'>): boolean {
  return isSourceCode(fold(path)) || !(inertNames.test(path) || inertExtensions.test(path));
}

async function some(files: AsyncIterable<FoundFile>, test: (file: FoundFile) => boolean): Promise<boolean> {
  for await (const file of files) if (test(file)) return true;
  return false;
}

/** How long an answer serves, in milliseconds: most calls of language tools come in a row. */
const longestKept = 5000;

interface Kept {
  readonly roots: string;
  readonly until: number;
  readonly found: Promise<boolean>;
}

const kept = new WeakMap<object, Kept>();

/**
 * Returns whether the literals in texts of language services are left out, as {@link hasClosedCode} tells. They are left out, too, when
 * that cannot be found out. An answer by names alone is kept for some seconds; rules close other files for each caller.
 */
export async function hidesLiterals(closing: Closing): Promise<boolean> {
  const find = (): Promise<boolean> => hasClosedCode(closing, AbortSignal.timeout(longestKept)).catch(() => true);
  if (closing.mayRead !== undefined) return find();
  const roots = JSON.stringify(closing.within.map(({ realPath }) => realPath));
  const known = kept.get(closing.search);
  const now = performance.now();
  if (known?.roots === roots && now < known.until) return known.found;
  const found = find();
  kept.set(closing.search, { roots, until: now + longestKept, found });
  return found;
}
