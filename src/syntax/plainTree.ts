import type { TreeCursor } from '@vscode/tree-sitter-wasm';
import type { SyntaxNode } from '#base/syntaxTree.ts';
import type { TreeBounds } from './parseMessages.ts';

/**
 * Copies the tree of a cursor, which stands at the root, into plain data and deletes the cursor. Returns undefined when the tree
 * has more nodes or is deeper than the bounds.
 */
export function plainTree(cursor: TreeCursor, bounds: TreeBounds): SyntaxNode | undefined {
  let left = bounds.nodes;
  const copy = (depth: number): SyntaxNode | undefined => {
    left -= 1;
    if (left < 0 || depth > bounds.depth) return undefined;
    const children: SyntaxNode[] = [];
    const node = cursor.currentNode;
    const field = cursor.currentFieldName ?? undefined;
    if (cursor.gotoFirstChild()) {
      do {
        const child = copy(depth + 1);
        if (!child) return undefined;
        children.push(child);
      } while (cursor.gotoNextSibling());
      cursor.gotoParent();
    }
    return {
      kind: node.type,
      isNamed: node.isNamed,
      isMissing: node.isMissing,
      hasError: node.hasError || node.isError || node.isMissing,
      field,
      start: node.startIndex,
      end: node.endIndex,
      children,
    };
  };
  try {
    return copy(1);
  } finally {
    cursor.delete();
  }
}

/** The most lines with errors that are of use to a reader. */
const mostErrors = 20;

/**
 * Returns the lines (1-based) on which the tree of a cursor, which stands at the root, has errors or missing tokens, and deletes the
 * cursor. Only nodes that contain an error are visited.
 */
export function errorLines(cursor: TreeCursor): number[] {
  const lines = new Set<number>();
  const visit = (): void => {
    const node = cursor.currentNode;
    if (lines.size >= mostErrors || !(node.hasError || node.isError || node.isMissing)) return;
    if (node.isError || node.isMissing) return void lines.add(node.startPosition.row + 1);
    if (!cursor.gotoFirstChild()) return;
    do visit();
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };
  try {
    visit();
    return [...lines];
  } finally {
    cursor.delete();
  }
}
