import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markersIn, redactText } from '#audit/redactText.ts';
import { secretHint } from '#audit/secretHint.ts';
import { findSecrets, secretTable } from '#audit/secretShapes.ts';
import { characters } from '../fakes/secrets.ts';

const redacted = (text: string) => ({ text: redactText(text).text, count: findSecrets(text).length });

/** The patterns by which searches flag files that may hold a secret. */
const hints = Object.values(secretHint()).map((pattern) => new RegExp(pattern, 'm'));

const hex = (count: number): string => characters(count, '0123456789abcdef');
const digits = (count: number): string => characters(count, '0123456789');
const capitals = (count: number): string => characters(count, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
const base64 = (text: string): string => Buffer.from(text).toString('base64url');
const jwt = [base64('{"alg":"HS256","typ":"JWT"}'), base64('{"sub":"1234567890"}'), characters(43)].join('.');

const lines = [1, 2, 3].map((first) => String(first) + characters(63)).join('\n');
const pem = (kind: string, body = lines): string => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`;

/** Type, what stays in front, the secret. */
const secrets: readonly (readonly [string, string, string])[] = [
  ['aws_key', 'id = ', `AKIA${capitals(16)}`],
  ['aws_key', '', `ASIA${capitals(16)},${characters(40)}`],
  ['aws_secret', 'aws_secret_access_key = ', characters(40)],
  ['aws_secret', '"secretAccessKey": "', characters(40)],
  ['aws_secret', 'AWS_SECRET_ACCESS_KEY=', characters(40)],
  ...['p', 'o', 'u', 's', 'r'].map((kind) => ['github_token', 'token: ', `gh${kind}_${characters(36)}`] as const),
  ['github_token', '', `github_pat_${characters(22)}_${characters(59)}`],
  ['gitlab_token', '', `glpat-${characters(20)}`],
  ['slack_token', '', `xoxb-${digits(11)}-${digits(11)}-${characters(24)}`],
  ['slack_token', '', `xoxp-${digits(11)}-${digits(11)}-${hex(32)}`],
  ['slack_webhook', 'https://hooks.slack.com/services/', `T${digits(8)}/B${digits(8)}/${characters(24)}`],
  ['stripe_key', '', `sk_live_${characters(24)}`],
  ['stripe_key', '', `rk_live_${characters(24)}`],
  ['openai_key', '', `sk-${characters(48)}`],
  ['openai_key', '', `sk-proj-${characters(30)}-_${characters(20)}`],
  ['anthropic_key', '', `sk-ant-api03-${characters(90)}-AA`],
  ['google_key', '', `AIza${characters(35)}`],
  ['google_key', '', `GOCSPX-${characters(28)}`],
  ['npm_token', '//registry.npmjs.org/:_authToken=', `npm_${characters(36)}`],
  ['pypi_token', '', `pypi-AgEIcHlwaS5vcmc${characters(70)}`],
  ['sendgrid_key', '', `SG.${characters(22)}.${characters(43)}`],
  ['twilio_key', '', `SK${hex(32)}`],
  ['twilio_token', 'TWILIO_AUTH_TOKEN=', hex(32)],
  ['azure_key', 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=', `${characters(86)}==`],
  ['huggingface_token', '', `hf_${characters(34, 'abcdefghijklmXYZ')}`],
  ['digitalocean_token', '', `dop_v1_${hex(64)}`],
  ['shopify_token', '', `shpat_${hex(32)}`],
  ['vault_token', '', `hvs.${characters(90)}`],
  ['age_key', '', `AGE-SECRET-KEY-1${capitals(58)}`],
  ['jwt', 'token=', jwt],
  ['authorization', 'Authorization: Bearer ', characters(24)],
  ['authorization', `{"Authorization": "Bearer `, characters(24)],
  ['authorization', `curl -H "Authorization: Basic `, Buffer.from('ann:open sesame').toString('base64')],
  ['authorization', 'AUTHORIZATION: bearer ', jwt],
  ['password', 'postgres://ann:', 'hunter2!x'],
  ['password', 'mysql://ann:', 'p{a(s)s|w'],
  ['password', 'url = "amqps://:', 'p%40ss-w0rd'],
];
const behind: Readonly<Record<string, string>> = { password: '@db.example.com/shop' };

/** Type, what stays in front, the secret, what follows, in files that are open by their names. */
const inKnownFiles: readonly (readonly [string, string, string, string])[] = [
  ['npm_auth', '//registry.npmjs.org/:_authToken=', 'plain-token-1', '\nregistry=x'],
  ['npm_auth', '_auth=', 'YW5uOm9wZW4=', '\n'],
  ['npm_auth', 'npmAuthToken: "', 'plain-token-2', '"\n'],
  ['registry_auth', '{"auths":{"r.example":{"auth": "', Buffer.from('ann:open sesame').toString('base64'), '"}}}'],
  ['kubernetes_key', 'client-key-data: ', characters(64), '\n'],
  ['config_password', '[pypi]\nusername = ann\npassword = ', 'open-sesame', '\n'],
  ['config_password', 'db:\n  username: ann\r\n  password: ', 's3cret', '\r\n  host: x'],
  ['nuget_password', '<add key="ClearTextPassword" value="', 'open sesame', '" />'],
  ['maven_password', '<server><password>', 'open-sesame', '</password></server>'],
  ['nuget_password', '<add key="ClearTextPassword"\n  value="', 'open sesame', '" />'],
];

describe('A8: secrets by their shape', () => {
  it.each(secrets)('redacts %s: %s...', (type, before, secret) => {
    const rest = behind[type] ?? '';
    expect(findSecrets(`${before}${secret}${rest}`)).toMatchObject([
      { start: before.length, end: before.length + secret.length, type },
    ]);
    const text = `// first\n${before}${secret}${rest}\nlast`;
    expect(redacted(text)).toEqual({
      text: `// first\n${before}[redacted:${type}#1]${rest}\nlast`,
      count: 1,
    });
  });

  it.each(secrets)('finds %s in JSON and between other text: %s...', (type, before, secret) => {
    const rest = behind[type] ?? '';
    expect(redacted(JSON.stringify({ a: `${before}${secret}${rest}` })).text).not.toContain(secret);
    expect(redacted(`x "${before}${secret}${rest}", y`).text).not.toContain(secret);
  });

  it.each(inKnownFiles)('A22: redacts %s in a file that is open by its name: %s', (type, before, secret, rest) => {
    expect(findSecrets(`${before}${secret}${rest}`)).toMatchObject([
      { start: before.length, end: before.length + secret.length, type },
    ]);
  });

  it.each([
    'RSA PRIVATE KEY',
    'PRIVATE KEY',
    'EC PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ])('redacts private_key: %s', (kind) => {
    const marker = (line: number): string => `[redacted:private_key#1.${line}]`;
    expect(redacted(`a\n${pem(kind)}\nb`)).toEqual({
      text: `a\n-----BEGIN ${kind}-----\n${marker(1)}\n${marker(2)}\n${marker(3)}\n-----END ${kind}-----\nb`,
      count: 1,
    });
  });

  it.each([
    ['in one line of JSON', JSON.stringify({ private_key: `${pem('PRIVATE KEY')}\n` })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ private_key: pem('PRIVATE KEY') }))],
    ['with CR LF', pem('PRIVATE KEY').replaceAll('\n', '\r\n')],
    ['indented', pem('PRIVATE KEY').replaceAll(/^/gm, '    ')],
    ['in a diff', pem('PRIVATE KEY').replaceAll(/^/gm, '+')],
    ['taken out in a diff', pem('PRIVATE KEY').replaceAll(/^/gm, '-')],
    ['quoted', pem('PRIVATE KEY').replaceAll(/^/gm, '> ')],
    ['in a comment', pem('PRIVATE KEY').replaceAll(/^/gm, ' * ')],
    ['put together in code', pem('PRIVATE KEY').replaceAll(/^(.*)$/gm, '  "$1\\n" +')],
    ['in one line', pem('PRIVATE KEY').replaceAll('\n', ' ')],
    ['encrypted', pem('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${capitals(32)}\n\n${lines}`)],
    ['with a header', pem('PGP PRIVATE KEY BLOCK', `Version: GnuPG v2\nComment: mine\n\n${lines}\n=Ab3d`)],
    ['without an end', pem('PRIVATE KEY').replace(/\n-----END.*/, '')],
    ['without an end, and then code', pem('PRIVATE KEY').replace(/\n-----END.*/, '\nconst rest = 1;')],
  ])('redacts private_key: %s', (_, text) => {
    const result = redacted(text);
    expect(result.count).toBe(1);
    for (const line of lines.split('\n')) expect(result.text).not.toContain(line.slice(0, 12));
    expect(result.text.split(/\r\n|\n/)).toHaveLength(text.split(/\r\n|\n/).length);
    expect(result.text.includes('\r')).toBe(text.includes('\r'));
    expect(result.text.includes('const rest')).toBe(text.includes('const rest'));
    expect(redacted(result.text)).toEqual({ text: result.text, count: 0 });
  });

  it.each([
    'https://user:pass@example.com/',
    'https://user:password@localhost',
    'https://${user}:${password}@host/',
    'postgres://postgres:postgres@localhost:5432/x',
    'https://ann:<password>@host',
    'https://ann:%s@host',
    'https://ann:$PASSWORD@host',
    'https://host:8080/path?mail=a@b.example',
    'see http://localhost:3000 or mail a@b.example',
    'git@github.com:owner/name.git',
    'Authorization: Bearer YOUR_TOKEN_GOES_HERE',
    'Authorization: Bearer ${token}',
    'headers.set("Authorization", "Bearer " + token)',
    "const begin = '-----BEGIN PRIVATE KEY-----';\nconst end = '-----END PRIVATE KEY-----';",
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY----- and then -----END PRIVATE KEY-----',
    '/-----BEGIN [A-Z ]*PRIVATE KEY-----/',
    '-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAx\n-----END CERTIFICATE-----',
    'class="sk-fading-circle sk-circle-fade-dot-animation"',
    'task-0123456789abcdef0123456789abcdef',
    'xoxb-your-token-here',
    'ghp_short and npm_config_registry and npm_package_dependencies_typescript',
    'eyJ.eyJ.eyJ',
    `${base64('{"typ":"JWT"}')}.${base64('{"sub":"1"}')}.${characters(20)}`,
    `sha512-${characters(86)}==`,
    'AKIA is how ids begin',
    'SKILLS SKIPPED SG.md',
    'secretKey = process.env.SECRET_KEY',
    'AccountKey=<your key>',
    '//registry.npmjs.org/:_authToken=${NPM_TOKEN}',
    'this._auth = createAuth(options);\n  self._password = password',
    '{ "auth": "none", "x": { "auth": "bearerTokenOfTheUser" } }',
    'interface Login {\n  username: string;\n  password: string;\n}',
    'login({\n  username: name,\n  password: entered1,\n})',
    'with:\n  username: ${{ github.actor }}\n  password: ${{ secrets.TOKEN }}',
    'username: admin\npassword: changeme',
    '<password>${env.PASSWORD}</password>',
  ])('leaves unchanged: %s', (text) => expect(redacted(text)).toEqual({ text, count: 0 }));

  it('takes no hash, id or base64 for a secret', () => {
    const id = fc.uint8Array({ minLength: 1, maxLength: 150 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
    const hash = fc.uint8Array({ minLength: 4, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    fc.assert(
      fc.property(fc.oneof(hash, fc.uuid(), id), (text) => {
        expect(findSecrets(text)).toEqual([]);
      }),
    );
  });

  it('keeps line count and line ends, and redacting twice changes nothing', () => {
    const separator = fc.constantFrom('\n', '\r\n', '\r', ' ', '"', ',', '=', '://', '@', '\\n');
    const piece = fc.oneof(
      fc.constantFrom(...secrets.map(([type, before, secret]) => before + secret + (behind[type] ?? ''))),
      fc.constantFrom(
        pem('PRIVATE KEY'),
        pem('RSA PRIVATE KEY').replaceAll('\n', '\\n'),
        '-----BEGIN PRIVATE KEY-----',
      ),
      fc.constantFrom('-', 'a', '[redacted:jwt:0123abcd]', '[redacted:jwt#7]'),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, separator), { maxLength: 12 }), (pieces) => {
        const text = pieces.flat().join('');
        const once = redacted(text);
        if (once.count > 0) for (const hint of hints) expect(text).toMatch(hint);
        expect(once.text.match(/\r\n|\n|\r/g)).toEqual(text.match(/\r\n|\n|\r/g));
        expect(redacted(once.text)).toEqual({ text: once.text, count: 0 });
      }),
      { numRuns: 2000 },
    );
  });

  it('finds a token in place of the user name, and the password too', () => {
    const text = `https://ghp_${characters(36)}:x-oauth-basic@github.com/a`;
    expect(findSecrets(text).map(({ type }) => type)).toEqual(['github_token', 'password']);
  });

  it('returns spans that are sorted and do not overlap', () => {
    const text = secrets.map(([type, before, secret]) => before + secret + (behind[type] ?? '')).join('\n');
    const found = findSecrets(text);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(secrets.map(([, , secret]) => secret));
  });

  it('hides a part that begins or ends within a secret', () => {
    const text = `a\n${pem('PRIVATE KEY')}\nb`;
    const whole = redactText(text);
    const fragments = Array.from({ length: lines.length - 4 }, (_, at) => lines.slice(at, at + 4));
    for (let start = 0; start <= text.length; start += 5) {
      for (let end = start; end <= text.length; end += 7) {
        const part = whole.part(start, end);
        expect(fragments.filter((fragment) => part.includes(fragment))).toEqual([]);
      }
    }
  });

  it('hides a key of very many lines', () => {
    const body = `${characters(64)}\n${'A\n'.repeat(500_000)}`;
    expect(redacted(pem('PRIVATE KEY', body)).text).not.toMatch(/^A$/m);
  });

  it('finds its own markers', () => {
    expect(markersIn(redacted(`x ghp_${characters(36)}`).text)).toHaveLength(1);
    expect(markersIn('[redacted:<type>:<8 hex>] [redacted] [redacted:jwt:xyz]')).toEqual([]);
  });

  it('A27: numbers secrets by their place, whether they are equal or not, and past the numbers that the text uses', () => {
    const [one, other] = [`ghp_${characters(36)}`, `ghp_${characters(60)}`];
    expect(redacted(`${one} ${one}`).text).toBe('[redacted:github_token#1] [redacted:github_token#2]');
    expect(redacted(`${one} ${other}`).text).toBe(redacted(`${one} ${one}`).text);
    expect(redacted(`see [redacted:jwt#41]: ${one}`).text).toBe('see [redacted:jwt#41]: [redacted:github_token#42]');
  });

  it('A27: keeps no character of a key that only looks like the mark of a diff or a comment', () => {
    const body = ['+', '//', '#'].map((start) => start + characters(60)).join('\n');
    const shown = redacted(pem('PRIVATE KEY', body)).text.split('\n');
    for (const line of shown.slice(1, -1)) expect(line).toMatch(/^\[redacted:private_key#1\.\d\]$|^#?\w*$/);
    const inDiff = redacted(pem('PRIVATE KEY', body).replaceAll(/^/gm, '+')).text.split('\n');
    expect(inDiff[1]).toBe('+[redacted:private_key#1.1]');
  });

  it('A28: is hinted at on the line on which it begins, by a pattern that follows the table', () => {
    const samples = [...secrets, ...inKnownFiles, ['private_key', '', pem('PRIVATE KEY')]] as const;
    expect(new Set(samples.map(([type]) => type))).toEqual(new Set(secretTable.map(({ type }) => type)));
    for (const [type, before, secret, rest = behind[type] ?? ''] of samples) {
      const text = `first\n${before}${secret}${rest}`;
      const [found] = findSecrets(text);
      const line = text.slice(0, found?.contextStart).split('\n').length - 1;
      for (const hint of hints) expect(text.split('\n')[line], type).toMatch(hint);
    }
    const apart = `Authorization\u00a0:\u3000Bearer ${characters(24)}`;
    expect(findSecrets(apart)).toHaveLength(1);
    for (const hint of hints) expect(apart).toMatch(hint);
    expect(findSecrets(`secret_key =\n  "${characters(40)}"`)).toHaveLength(1);
    for (const hint of hints) expect('secret_key =').toMatch(hint);
    const harmless = "const tokens = lexer.tokens.map((token) => token.secret);\nimport a from 'b@1.0.0';";
    for (const hint of hints) expect(harmless).not.toMatch(hint);
  });

  it.each([
    'a',
    '0',
    '-',
    '/',
    ' ',
    '\n',
    '\\n',
    '"',
    '://',
    '://a:',
    '@',
    'eyJ',
    'eyJ-',
    'eyJaaaaaaaa.',
    'sk-ant-',
    '0sk-ant-',
    'xoxb-',
    'ghp_',
    'github_pat_',
    'AKIA',
    'SG.',
    'secret_key = ',
    'Authorization: Bearer ',
    '-----BEGIN PRIVATE KEY-----',
    `-----BEGIN PRIVATE KEY-----\n${characters(40)}`,
    `${base64('{"alg":"none"}')}.`,
    `ghp_${characters(40)}`,
  ])(
    'reads 5 MB of %j to its end',
    (unit) => {
      const half = unit.repeat(2_500_000 / unit.length);
      const text = `ghp_${half}.\n-----BEGIN PRIVATE KEY-----\n${half}\nxoxb-${digits(11)}-${characters(24)}\n`;
      expect(findSecrets(text).at(-1)?.type).toBe('slack_token');
      const check = new RegExp(secretHint().check, 'gm');
      let last = -1;
      while (check.test(text)) last = check.lastIndex;
      expect(last).toBeGreaterThan(text.length - 50);
    },
    60_000,
  );
});

it('finds a secret in a long text that was without one before', () => {
  const text = 'const a = 1;\n'.repeat(200);
  expect([findSecrets(text), findSecrets(text)]).toEqual([[], []]);
  const changed = `${text}const key = 'ghp_${characters(36)}';\n`;
  for (let times = 0; times < 2; times += 1) expect(findSecrets(changed)).toMatchObject([{ type: 'github_token' }]);
  expect(findSecrets(text)).toEqual([]);
});
