/**
 * Secrets of the shapes that people leave lying about; none of them opens anything. Made of parts, so that no scanner takes this
 * file for a leak. The last text is what of it may stay.
 */
const letters = 'k3Xq9VzR7mTb2LwYc8NpJd5Hs4GfQa6Ue1Bi0OxZrKtMvPnCyWj';
const digits = '2345678901';
const begin = ['-----BEGIN', 'PRIVATE', 'KEY-----'].join(' ');
const end = ['-----END', 'PRIVATE', 'KEY-----'].join(' ');

export const seededSecrets: readonly (readonly [name: string, secret: string, mayStay?: string])[] = [
  ['AWS access key id', `AKIA${letters.slice(0, 16).toUpperCase()}`],
  ['GitHub token', `ghp_${letters.slice(0, 36)}`],
  ['GitLab token', `glpat-${letters.slice(0, 20)}`],
  ['Slack token', `xoxb-${digits}-${digits}-${letters.slice(0, 24)}`],
  ['OpenAI key', `sk-proj-${letters.slice(0, 40)}`],
  ['Anthropic key', `sk-ant-api03-${letters.slice(0, 40)}`],
  ['Google key', `AIza${letters.slice(0, 35)}`],
  ['npm token', `npm_${letters.slice(0, 36)}`],
  [
    'JWT',
    [
      Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
      Buffer.from('{"sub":"1234567890"}').toString('base64url'),
      letters.slice(0, 43),
    ].join('.'),
  ],
  ['private key', `${begin}\n${letters}${letters}\n${letters}${letters}\n${end}`, `${begin}\n${end}`],
  [
    'password in a URL',
    `postgres://service:${letters.slice(0, 14)}@db.internal/app`,
    'postgres://service:@db.internal/app',
  ],
  ['random base64', `${letters.slice(3, 30)}+/${letters.slice(30)}==`],
  ['random hexadecimal', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
];
