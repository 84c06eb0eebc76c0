import { SharedFile } from '#home/sharedFile.ts';

/** Another window, for tests: a process that counts up in a shared file, or is killed during a change. */
const [home = '', what = '', times = '0'] = process.argv.slice(2);
const file = new SharedFile<{ count: number }>({
  home,
  name: 'shared.json',
  parse: (value) => {
    if (typeof value !== 'object' || value === null || !('count' in value) || typeof value.count !== 'number')
      throw new Error('it has no count.');
    return { count: value.count };
  },
  empty: { count: 0 },
  onError: (error) => {
    throw error;
  },
});
if (what === 'die') {
  await file.update(() => {
    process.kill(process.pid, 'SIGKILL');
    // The signal may arrive late, so the process waits for it.
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
}
for (let done = 0; done < Number(times); done++) await file.update(({ count }) => ({ count: count + 1 }));
file.dispose();
