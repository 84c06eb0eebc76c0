/**
 * Carries out one act on the real disk in a process of its own, and kills it right before the n-th call that writes.
 * Arguments: the file with the bundled program, the act, n. Tells, a line each: the folder that it works in, then where it was killed, or `done`.
 */
import { readFileSync, writeSync } from 'node:fs';
import { DyingDisk } from './dyingDisk.ts';
import { compileProgram } from './killedProgram.ts';

const [, , program = '', act = 'apply', killAt = '0'] = process.argv;

const tell = (line: string): void => void writeSync(1, `${line}\n`);

const disk = new DyingDisk(Number(killAt), (point) => {
  tell(point);
  process.kill(process.pid, 'SIGKILL');
  for (;;);
});
const { carryOut } = compileProgram(readFileSync(program, 'utf8'))(disk);
await carryOut(act, tell, () => disk.begin());
tell('done');
