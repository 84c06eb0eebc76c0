import * as vscode from 'vscode';

/** The theme colours of marked lines, and the edge of the lines that is drawn. */
export interface LineDecoration {
  readonly border: string;
  readonly background?: string;
  /** The colour on the overview ruler; the one of the edge without it. */
  readonly ruler?: string;
  readonly lane?: vscode.OverviewRulerLane;
  /** `above` marks the place between a line and the one before it. */
  readonly place?: 'beside' | 'above';
}

/** Creates the decoration of whole lines with a coloured edge, which also shows on the overview ruler. */
export function lineDecoration({
  border,
  background,
  ruler = border,
  lane = vscode.OverviewRulerLane.Left,
  place = 'beside',
}: LineDecoration): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    ...(background !== undefined && { backgroundColor: new vscode.ThemeColor(background) }),
    borderColor: new vscode.ThemeColor(border),
    borderStyle: 'solid',
    borderWidth: place === 'above' ? '2px 0 0 0' : '0 0 0 2px',
    overviewRulerColor: new vscode.ThemeColor(ruler),
    overviewRulerLane: lane,
  });
}
