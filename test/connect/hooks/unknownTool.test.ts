import { expect, test } from 'vitest';
import { mayEdit } from '#connect/hooks/unknownTool.ts';

test.each(['MultiEdit', 'apply_patch', 'replace', 'write_file', 'create', 'str_replace_editor', 'renameFile'])(
  'takes %s for a tool that may edit files',
  (tool) => expect(mayEdit(tool)).toBe(true),
);

test.each(['Read', 'Grep', 'Bash', 'write_bash', 'TodoWrite', 'save_memory', 'mcp__files__write', 'mcp_files_write'])(
  'does not take %s for a tool that may edit files',
  (tool) => expect(mayEdit(tool)).toBe(false),
);
