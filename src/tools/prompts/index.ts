import type { Prompt } from '#call/prompt.ts';
import { explainSymbol } from './explainSymbol.ts';
import { fixProblems } from './fixProblems.ts';
import { makeChange } from './makeChange.ts';
import { reviewSelection } from './reviewSelection.ts';

/** Every prompt that users can pick in their clients, in the order in which clients show them. */
export const prompts: readonly Prompt[] = [reviewSelection, fixProblems, explainSymbol, makeChange];
