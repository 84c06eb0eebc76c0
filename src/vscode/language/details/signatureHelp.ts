import type * as vscode from 'vscode';
import type { SignatureHelp } from '../../../ports/languageDetails.ts';
import { contentText } from '../symbols/hoverText.ts';

export function signatureHelpOf({ signatures, activeSignature, activeParameter }: vscode.SignatureHelp): SignatureHelp {
  return {
    signatures: signatures.map(({ label, documentation, parameters }) => {
      const told = documentation === undefined ? '' : contentText(documentation);
      return {
        label,
        ...(told !== '' && { documentation: told }),
        parameters: parameters.map((parameter) =>
          typeof parameter.label === 'string' ? parameter.label : label.slice(...parameter.label),
        ),
      };
    }),
    activeSignature: Math.max(0, activeSignature),
    activeParameter: Math.max(0, signatures[activeSignature]?.activeParameter ?? activeParameter),
  };
}
