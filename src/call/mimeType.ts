/** MIME types of common file names; all others count as `text/plain`. */
const byExtension: Readonly<Record<string, string>> = {
  c: 'text/x-c',
  cc: 'text/x-c++',
  cpp: 'text/x-c++',
  cs: 'text/x-csharp',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  go: 'text/x-go',
  h: 'text/x-c',
  html: 'text/html',
  java: 'text/x-java',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  jsonc: 'application/json',
  jsx: 'text/jsx',
  kt: 'text/x-kotlin',
  md: 'text/markdown',
  mjs: 'text/javascript',
  mp3: 'audio/mpeg',
  pdf: 'application/pdf',
  php: 'text/x-php',
  png: 'image/png',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  rs: 'text/x-rust',
  sh: 'text/x-shellscript',
  sql: 'text/x-sql',
  svg: 'image/svg+xml',
  swift: 'text/x-swift',
  toml: 'application/toml',
  ts: 'text/x-typescript',
  tsx: 'text/tsx',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** Returns the MIME type for the extension of a path; `text/plain` for an unknown one. */
export function mimeTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  return (Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined) ?? 'text/plain';
}
