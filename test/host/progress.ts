const started = Date.now();

/** Writes one line with the elapsed seconds to stderr (stdout belongs to results). */
export function progress(message: string): void {
  process.stderr.write(`${((Date.now() - started) / 1000).toFixed(1).padStart(7)} s  ${message}\n`);
}
