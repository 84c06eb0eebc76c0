import type { Tool } from '#call/tool.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { contentTools } from './contentTools.ts';
import { elicitationTools } from './elicitationTools.ts';
import { fixtureTool, noArguments } from './fixtureTool.ts';
import { inputRequiredTools } from './inputRequiredTools.ts';
import { prompts } from './prompts.ts';
import { reportingTools } from './reportingTools.ts';
import { resources } from './resources.ts';
import { schemaTools } from './schemaTools.ts';

const everyTool = [...contentTools, ...reportingTools, ...elicitationTools, ...inputRequiredTools, ...schemaTools];

/** The tools, resources and prompts that the scenarios of the conformance suite name. */
export function fixtureCatalog(): FakeCatalog {
  const catalog = new FakeCatalog([], resources, prompts);
  const comesAndGoes = fixtureTool({
    name: 'test_dynamic_tool',
    description: 'Comes and goes.',
    input: noArguments,
    answer: () => 'Here.',
  });
  const changeTools = (): void => {
    const { tools } = catalog;
    const without = tools.filter((tool) => tool !== comesAndGoes);
    catalog.setTools(without.length < tools.length ? without : [...tools, comesAndGoes]);
  };
  const trigger = (name: string): Tool =>
    fixtureTool({
      name,
      description: 'Changes what is offered.',
      input: noArguments,
      answer() {
        changeTools();
        return 'It is another list now.';
      },
    });
  catalog.setTools([...everyTool, trigger('test_trigger_tool_change'), trigger('test_trigger_prompt_change')]);
  return catalog;
}
