import { setTimeout } from 'node:timers/promises';
import type { Tool } from '#call/tool.ts';
import { fixtureTool, noArguments } from './fixtureTool.ts';

/** Tools that send progress or log messages before their result. */
export const reportingTools: readonly Tool[] = [
  fixtureTool({
    name: 'test_tool_with_logging',
    description: 'Logs three messages.',
    input: noArguments,
    answer(_input, { log }) {
      log('info', 'Tool execution started');
      log('info', 'Tool processing data');
      log('info', 'Tool execution completed');
      return 'Three messages were logged.';
    },
  }),
  fixtureTool({
    name: 'test_logging_tool',
    description: 'Logs one message.',
    input: noArguments,
    answer(_input, { log }) {
      log('info', 'The tool ran');
      return 'A message was logged.';
    },
  }),
  fixtureTool({
    name: 'test_tool_with_progress',
    description: 'Works for three seconds and says how far it is.',
    input: noArguments,
    async answer(_input, { report }) {
      // Progress is sent once a second, by a timer that was started before each of these.
      for (const step of ['one', 'two', 'three']) {
        report(`Completed step ${step}`);
        await setTimeout(1000);
      }
      return 'Three steps were completed.';
    },
  }),
  fixtureTool({
    name: 'test_streaming_elicitation',
    description: 'Answers on a stream that carries no request.',
    input: noArguments,
    answer: () => 'Nothing but a result.',
  }),
];
