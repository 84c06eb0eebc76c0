/** A secret in a text, as offsets in UTF-16 units; `end` is exclusive. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** For example `github_token`; lower-case letters, digits and `_`. */
  readonly type: string;
}

/** A secret with the text around it by which it was recognized, as offsets in UTF-16 units; `contextEnd` is exclusive. */
export interface FoundSecret extends SecretSpan {
  /** The start of what comes before it and belongs to its shape: a name, a scheme, the BEGIN line of a key. */
  readonly contextStart: number;
  /** The end of what comes after it and belongs to its shape: the END line of a key. */
  readonly contextEnd: number;
}

/** The shape of one kind of secret. */
export interface SecretShape {
  readonly type: string;
  /** Starts with a literal and has only bounded quantifiers, so that matching is linear. The text of group `before` stays. */
  readonly pattern: RegExp;
  /** True when the shape may start in the middle of a word. */
  readonly inWord?: true;
  /** Returns false for a placeholder. */
  readonly isSecret?: (secret: string, match: string) => boolean;
}

/** Separator between a name and its value. Quotes may be escaped, as in JSON within JSON. */
export const assigned = /\\{0,3}["'`]?\]?\s{0,5}(?::|=>?|,)\s{0,5}\\{0,3}["'`]?/.source;

/** Shapes that are almost certainly secrets (threat row A22), based on the rules of gitleaks. */
export const secretTable: readonly SecretShape[] = [
  {
    type: 'aws_key',
    pattern: /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])(?:[",: \t]{1,4}[A-Za-z0-9/+]{40}(?![\w/+=]))?/,
  },
  {
    type: 'aws_secret',
    pattern: new RegExp(
      `(?<before>(?:[Ss]ecret_?(?:[Aa]ccess)?_?[Kk]ey|SECRET_(?:ACCESS_)?KEY)${assigned})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`,
    ),
    inWord: true,
  },
  { type: 'github_token', pattern: /gh[pousr]_[A-Za-z0-9]{36,4096}|github_pat_\w{36,4096}/ },
  { type: 'gitlab_token', pattern: /gl(?:pat|dt|rt|rtr|ptt|cbt|ft|ffct|imt|agent|soat)-[\w-]{20,4096}/ },
  { type: 'slack_token', pattern: /(?:xox[abeoprs]-|xapp-)(?=[A-Za-z-]{0,40}\d)[A-Za-z0-9-]{10,4096}/ },
  {
    type: 'slack_webhook',
    pattern: /(?<before>hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9+/]{30,4096}/,
  },
  { type: 'stripe_key', pattern: /[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,4096}|whsec_[A-Za-z0-9+/]{24,4096}={0,2}/ },
  { type: 'anthropic_key', pattern: /sk-ant-[\w-]{20,4096}/ },
  { type: 'openai_key', pattern: /sk-(?:(?:proj|svcacct|admin|None|or-v1)-[\w-]{20,4096}|[A-Za-z0-9]{32,4096})/ },
  { type: 'google_key', pattern: /AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,4096}/ },
  { type: 'npm_token', pattern: /npm_[A-Za-z0-9]{36,4096}/ },
  { type: 'pypi_token', pattern: /pypi-AgE[\w-]{50,4096}/ },
  { type: 'sendgrid_key', pattern: /SG\.[\w-]{20,24}\.[\w-]{39,50}/ },
  { type: 'twilio_key', pattern: /SK[0-9a-f]{32}(?![A-Za-z0-9])/ },
  {
    type: 'twilio_token',
    pattern: new RegExp(`(?<before>(?:TWILIO_AUTH_TOKEN|twilio_?[Aa]uth_?[Tt]oken)${assigned})[0-9a-f]{32}`),
  },
  { type: 'azure_key', pattern: /(?<before>(?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{40,4096}={0,2}/, inWord: true },
  { type: 'huggingface_token', pattern: /hf_[A-Za-z]{34,4096}/ },
  { type: 'digitalocean_token', pattern: /do[opr]_v1_[0-9a-f]{64}/ },
  { type: 'shopify_token', pattern: /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/ },
  { type: 'vault_token', pattern: /hv[bsr]\.[\w-]{24,4096}/ },
  { type: 'age_key', pattern: /AGE-SECRET-KEY-1[0-9A-Z]{58}/ },
  {
    type: 'jwt',
    pattern: /eyJ(?<![\w-]eyJ)[\w-]{8,50000}\.[\w-]{8,50000}\.[\w-]{8,50000}(?:\.[\w-]{1,50000}){0,2}/,
    isSecret: isJwt,
  },
  {
    type: 'authorization',
    pattern: new RegExp(
      `(?<before>(?:[Aa]uthorization|AUTHORIZATION)${assigned}(?:[Bb]earer|[Bb]asic|BEARER|BASIC|[Tt]oken)[ \\t]{1,5})[A-Za-z0-9._~+/-]{8,4096}={0,2}`,
    ),
    inWord: true,
    isSecret: isCredential,
  },
  {
    type: 'password',
    // The match starts after the user name, because that may be a token of its own.
    pattern: /(?<before>:(?<=:\/\/[^\s:/?#@"'`<>[]{0,128}:))[^\s/?#@"'`<>]{1,256}(?=@[\w[])/,
    inWord: true,
    isSecret: isPassword,
  },
  // Values in files that stay open by name, in the syntax of these files
  {
    type: 'npm_auth',
    // A line of .npmrc, or of .yarnrc.yml
    pattern:
      /(?<before>_(?<=(?:\/:|(?<![^\r\n]))_)(?:authToken|auth|password)[ \t]{0,5}=[ \t]{0,5}["']?(?!npm_)|npmAuth(?:Token|Ident)["']?:[ \t]{1,5}["']?)[^\s"'#;,()]{4,4096}/,
    inWord: true,
    isSecret: isPassword,
  },
  {
    type: 'registry_auth',
    // A login of Docker, which is a name and a password in base64
    pattern: new RegExp(`(?<before>["']auth${assigned})[A-Za-z0-9+/]{6,4096}={0,2}(?![\\w+/=-])`),
    inWord: true,
    isSecret: (secret) => /^[^:\s]{1,256}:[\x20-\x7e]{1,3000}$/.test(decoded(secret) ?? ''),
  },
  {
    type: 'kubernetes_key',
    pattern: /(?<before>client-key-data["']?:[ \t]{0,5}["']?)[A-Za-z0-9+/]{40,50000}={0,2}/,
  },
  {
    type: 'config_password',
    // The password in the line below the name of a user, as in .pypirc and database.yml; code has commas or semicolons there.
    pattern:
      /(?<before>pass(?:word|wd)(?<=(?:user|username|login)["']?[ \t]{0,5}[:=][ \t]{0,5}[^\s,;(){}[\]]{1,128}[ \t]{0,5}\r?\n[ \t]{0,40}["']?pass(?:word|wd))["']?[ \t]{0,5}[:=][ \t]{0,5}["']?)[^\s"',;(){}[\]]{4,256}(?!["']?[ \t]{0,5}[,;(])/,
    inWord: true,
    isSecret: isPassword,
  },
  {
    type: 'nuget_password',
    pattern: /(?<before>"ClearTextPassword"\s{1,5}value\s{0,5}=\s{0,5}")[^"%<>]{4,1024}(?=")/,
    inWord: true,
    isSecret: isPassword,
  },
  {
    type: 'maven_password',
    // A server in settings.xml of Maven
    pattern: /(?<before><(?:password|passphrase)>)[^<>\s]{4,1024}(?=<\/pass)/,
    inWord: true,
    isSecret: isPassword,
  },
  { type: 'private_key', pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/, inWord: true },
];

/** Matches `"alg"` in base64 in each alignment. Decoding would be slow on text that repeats the beginning of a JWT. */
const algorithm = /ImFsZy|JhbGci|iYWxnI/;

function isJwt(secret: string): boolean {
  return algorithm.test(secret.slice(0, secret.indexOf('.')));
}

function isCredential(secret: string, match: string): boolean {
  const isBasic = /basic[ \t]+$/i.test(match.slice(0, match.length - secret.length));
  if (isBasic) return decoded(secret)?.includes(':') === true;
  return secret.length >= 16 && /\d/.test(secret);
}

const placeholders =
  /^(?:pass|passwd|password|pwd|pw|secret|token|key|user|username|test|example|changeme|change_me|your[-_]?\w{0,40}|my[-_]?(?:pass\w{0,8}|secret|token)|postgres|root|admin|guest|x+|\*+|\.+|%s|%\w{1,40}%|\$\w{1,60}|:?port|\d{1,5})$/i;

/** Matches template placeholders and existing markers. */
const filledIn = /\$[{(]|\{\{|#\{|%\(|^\{.*\}$|\[redacted:/;

/** Returns whether the password in a URL is real, and not a template placeholder or an example. */
function isPassword(secret: string): boolean {
  return secret.length >= 4 && !filledIn.test(secret) && !placeholders.test(secret);
}

function decoded(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}

/**
 * All shapes in one expression, so that a text is read once. The check that most shapes do not start within a word comes first:
 * it also keeps matching linear on text that repeats the beginning of a shape.
 */
const anyShape = new RegExp(`(?<![A-Za-z0-9])(?:${alternatives(false)})|${alternatives(true)}`, 'g');

function alternatives(inWord: boolean): string {
  return secretTable
    .flatMap(({ pattern, inWord: isInWord = false }, at) =>
      isInWord === inWord ? `(?<shape${at}>${pattern.source.replace('?<before>', `?<before${at}>`)})` : [],
    )
    .join('|');
}

/** UTF-16 units of the shortest and the longest text without a secret that is remembered. */
const [shortestRemembered, longestRemembered] = [1000, 1_000_000];

/** The last text without a secret. A result is searched as the file was that it shows, and mostly it is the same text. */
let lastClean = '';

/** Finds the secrets in a text by their shape, in linear time. The spans are sorted and do not overlap. */
export function findSecrets(text: string): readonly FoundSecret[] {
  if (text.length < shortestRemembered || text.length > longestRemembered) return searchSecrets(text);
  if (text === lastClean) return [];
  const secrets = searchSecrets(text);
  if (secrets.length === 0) lastClean = text;
  return secrets;
}

function searchSecrets(text: string): readonly FoundSecret[] {
  const spans: FoundSecret[] = [];
  anyShape.lastIndex = 0;
  for (let match = anyShape.exec(text); match !== null; match = anyShape.exec(text)) {
    const span = spanOf(text, match);
    if (span === undefined) {
      // A match that is not a secret may contain one.
      anyShape.lastIndex = match.index + 1;
      continue;
    }
    spans.push(span);
    anyShape.lastIndex = span.end;
  }
  return spans;
}

function spanOf(text: string, match: RegExpExecArray): FoundSecret | undefined {
  const { groups = {}, index } = match;
  const at = secretTable.findIndex((_, each) => groups[`shape${each}`] !== undefined);
  const shape = secretTable[at];
  if (shape === undefined) return undefined;
  const end = index + match[0].length;
  if (shape.type === 'private_key') {
    const body = privateKeyBody(text, end);
    return body && { ...body, type: shape.type, contextStart: index };
  }
  const start = index + (groups[`before${at}`]?.length ?? 0);
  if (shape.isSecret?.(text.slice(start, end), match[0]) === false) return undefined;
  return { start, end, type: shape.type, contextStart: index, contextEnd: end };
}

/** Separator between the pieces of a private key: white space, also escaped as in JSON, and marks of source code and diffs. */
const gap = /(?:[\r\n][\t ]{0,40}(?:-(?!-)|[>#|*]|\/\/)|\s|\\{1,4}[nr]|\\(?=[\r\n])|["'`,;]){0,400}/y;
const header = /[A-Z][A-Za-z-]{1,30}: [^\r\n\\"]{0,200}/y;
const piece = /[A-Za-z0-9+/]{1,50000}={0,2}/y;
const endLine = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY/y;

/** Minimum length of a piece of a key; shorter pieces are words. */
const shortestPiece = 16;

interface Body {
  readonly start: number;
  readonly end: number;
  /** The end of the END line, when there is one. */
  readonly contextEnd: number;
}

/**
 * Finds the body of a private key (PEM, OpenSSH, PGP) whose BEGIN line ends at an offset. The body may be several lines, or one
 * line with escaped `\n`. Without an END line, the body extends as far as it looks like base64. Returns undefined when there is no
 * body, because code may name the BEGIN line alone.
 */
function privateKeyBody(text: string, beginEnd: number): Body | undefined {
  let at = skip(gap, text, beginEnd);
  const start = at;
  for (let next = skip(header, text, at); next > at; next = skip(header, text, at)) at = skip(gap, text, next);
  return closedBody(text, start, at) ?? openBody(text, start, at);
}

function closedBody(text: string, start: number, dataStart: number): Body | undefined {
  let at = dataStart;
  let end = start;
  let longest = 0;
  for (let next = skip(piece, text, at); next > at; next = skip(piece, text, at)) {
    longest = Math.max(longest, next - at);
    end = next;
    at = skip(gap, text, next);
  }
  const contextEnd = skip(endLine, text, at);
  return longest >= shortestPiece && contextEnd > at ? { start, end, contextEnd } : undefined;
}

function openBody(text: string, start: number, dataStart: number): Body | undefined {
  let at = dataStart;
  let end = start;
  for (let next = skip(piece, text, at); looksRandom(text.slice(at, next)); next = skip(piece, text, at)) {
    end = next;
    at = skip(gap, text, next);
  }
  return end === start ? undefined : { start, end, contextEnd: end };
}

/** Returns whether a piece has lower case, upper case and digits, and is too long for a word. */
function looksRandom(text: string): boolean {
  return text.length >= shortestPiece && /[a-z]/.test(text) && /[A-Z]/.test(text) && /[0-9]/.test(text);
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}
