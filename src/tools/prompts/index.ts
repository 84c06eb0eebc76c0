import type { Prompt } from '#call/prompt.ts';
import { explainSymbol } from './explainSymbol.ts';
import { fixProblems } from './fixProblems.ts';
import { makeChange } from './makeChange.ts';
import { reviewSelection } from './reviewSelection.ts';

/** Questions that users pick in their clients, in the order in which these show them. */
export const prompts: readonly Prompt[] = [reviewSelection, fixProblems, explainSymbol, makeChange];
