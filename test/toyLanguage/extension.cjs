'use strict';
// A language for tests: every kind of service, in every shape of answer; the words of a file's first line choose (see parse.cjs).
const vscode = require('vscode');
const { program } = require('./program.cjs');

const selector = { language: 'toy' };

exports.activate = (context) => {
  const recorded = [];
  const parts = ['./navigation.cjs', './changes.cjs', './details.cjs', './diagnostics.cjs'];
  context.subscriptions.push(
    ...parts.flatMap((part) => require(part).register(selector)),
    vscode.commands.registerCommand('toy.record', (...values) => {
      recorded.push(values);
      return { calls: recorded.length, values };
    }),
    vscode.lm.registerTool('toy_count', {
      prepareInvocation: ({ input }) => ({ invocationMessage: `Counting ${input.word}` }),
      async invoke({ input }, token) {
        const files = await program();
        if (token.isCancellationRequested) throw new vscode.CancellationError();
        const words = files.flatMap(({ lines }) => lines.join('\n').match(/\w+/g) ?? []);
        const count = words.filter((word) => word === input.word).length;
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(String(count))]);
      },
    }),
  );
  // What tests look at: everything that `toy.record` was called with.
  return { recorded };
};
