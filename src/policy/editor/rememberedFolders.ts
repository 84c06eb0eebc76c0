import * as z from 'zod';
import { SharedFile } from '#home/sharedFile.ts';
import { folderIdentity, isSameIdentity } from './folderIdentity.ts';

const answerShape = z.strictObject({
  /** Real path of the folder in which assistants work. */
  folder: z.string(),
  /** Differs for another folder at the same path, such as a new clone. */
  identity: z.string(),
  /** Real paths of the folders of the window, sorted. */
  window: z.array(z.string()),
  answer: z.enum(['always', 'never']),
});
const answersShape = z.strictObject({ version: z.literal(1), answers: z.array(answerShape).max(2000) });

type Answers = z.infer<typeof answersShape>;
type Answer = z.infer<typeof answerShape>;

export interface RememberedFoldersOptions {
  /** The state folder of this user. */
  readonly home: string;
  /** Called when the file cannot be read or written; the user is then asked again. */
  readonly onError: (error: unknown) => void;
}

/** The answers for folders whose assistants want to use a window that does not have them open. The user may edit the file. */
export class RememberedFolders {
  readonly #file: SharedFile<Answers>;
  readonly #onError: (error: unknown) => void;

  constructor({ home, onError }: RememberedFoldersOptions) {
    this.#onError = onError;
    this.#file = new SharedFile<Answers>({
      home,
      name: 'folders.json',
      parse: (value) => answersShape.parse(value),
      empty: { version: 1, answers: [] },
      onError,
    });
  }

  /** Returns what the user answered; undefined also while the file cannot be used. */
  answerFor(folder: string, window: readonly string[]): 'always' | 'never' | undefined {
    const { answers } = this.#file.latest();
    if (this.#file.problem !== undefined) return undefined;
    const found = answers.find((each) => isFor(each, folder, window));
    const identity = found && folderIdentity(folder);
    return identity !== undefined && isSameIdentity(found?.identity ?? '', identity) ? found?.answer : undefined;
  }

  /** Writes an answer down in the place of an earlier one. Reports a failure, and never rejects. */
  async remember(folder: string, window: readonly string[], answer: 'always' | 'never'): Promise<void> {
    const identity = folderIdentity(folder);
    if (identity === undefined) return;
    const next: Answer = { folder, identity, window: [...window], answer };
    const isOther = (each: Answer): boolean => !isFor(each, folder, window);
    await this.#file
      .update(({ version, answers }) => ({ version, answers: [...answers.filter(isOther), next] }))
      .catch(this.#onError);
  }

  dispose(): void {
    this.#file.dispose();
  }
}

function isFor(answer: Answer, folder: string, window: readonly string[]): boolean {
  return answer.folder === folder && answer.window.join('\0') === window.join('\0');
}
