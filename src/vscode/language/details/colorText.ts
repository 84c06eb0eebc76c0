import type * as vscode from 'vscode';

/** "#rrggbb", or "#rrggbbaa" unless opaque. */
export function colorText({ red, green, blue, alpha }: Pick<vscode.Color, 'red' | 'green' | 'blue' | 'alpha'>): string {
  const hex = (part: number): string =>
    Math.round(part * 255)
      .toString(16)
      .padStart(2, '0');
  return `#${hex(red)}${hex(green)}${hex(blue)}${alpha === 1 ? '' : hex(alpha)}`;
}
