/** The name of the file that holds the regular expression engine of the colours. The build packs it. */
export const engineFile = 'onig.wasm';
