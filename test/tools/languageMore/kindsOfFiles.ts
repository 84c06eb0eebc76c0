/** The kinds of `get_language_details` that describe a whole file and take no position. */
export const kindsOfFiles = [
  'inlay_hints',
  'folding_ranges',
  'semantic_tokens',
  'code_lenses',
  'document_links',
  'document_colors',
] as const;
