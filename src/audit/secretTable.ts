/** One kind of secret. */
export interface SecretShape {
  readonly type: string;
  /** Begins with a literal and has only bounded quantifiers, so that it is linear. What group `before` matches stays. */
  readonly pattern: RegExp;
  /** The shape may stand in the middle of a word. */
  readonly inWord?: true;
  /** Tells a secret from a placeholder. */
  readonly isSecret?: (secret: string, match: string) => boolean;
}

/** Between a name and its value; quotes may be escaped, for there is JSON in JSON. */
const assigned = /\\{0,3}["'`]?\]?\s{0,5}(?::|=>?|,)\s{0,5}\\{0,3}["'`]?/.source;

/** Shapes that are secrets with next to no doubt (threat row A22); after the rules of gitleaks. */
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
    // Begins behind the user, who may be a token.
    pattern: /(?<before>:(?<=:\/\/[^\s:/?#@"'`<>[]{0,128}:))[^\s/?#@"'`<>]{1,256}(?=@[\w[])/,
    inWord: true,
    isSecret: isPassword,
  },
  { type: 'private_key', pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/, inWord: true },
];

/** `"alg"` in base64, however it is aligned. Decoding would be slow on a text of nothing but beginnings. */
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

/** What a template fills in, or we have. */
const filledIn = /\$[{(]|\{\{|#\{|%\(|^\{.*\}$|\[redacted:/;

/** A password of an address; what a template fills in, or what people write in examples, is none. */
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
