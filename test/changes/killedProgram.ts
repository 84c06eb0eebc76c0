import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import type { DyingDisk } from './dyingDisk.ts';
import type * as killedWork from './killedWork.ts';

const require = createRequire(import.meta.url);

/** Compiles the bundle of `killedWork.ts` once. Each call of the result starts it from nothing, on a disk of its own. */
export function compileProgram(text: string): (disk: DyingDisk) => typeof killedWork {
  const script = new Script(`(function (require, module, exports, __filename) {${text}\n})`, {
    filename: 'killedWork.cjs',
  });
  return ({ modules }) => {
    const module: { exports: unknown } = { exports: {} };
    // What is killed does nothing at its exit.
    const own = new Map<string, unknown>([...modules, ['signal-exit', { onExit: () => () => undefined }]]);
    script.runInThisContext()(
      (name: string) => own.get(name) ?? require(name),
      module,
      module.exports,
      'killedWork.cjs',
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the module that was bundled
    return module.exports as typeof killedWork;
  };
}
