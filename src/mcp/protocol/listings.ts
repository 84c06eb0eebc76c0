import type {
  Prompt as WirePrompt,
  Resource as WireResource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { Catalog } from '#call/catalog.ts';
import type { ListedResource } from '#call/outcomes.ts';
import type { Prompt } from '#call/prompt.ts';
import { isOffered } from '#call/turnedOff.ts';
import { wireAnnotations } from './toolAnswer.ts';

/** The prompts of the catalog that are offered now, as `prompts/list` tells of them. */
export function listedPrompts(catalog: Catalog): readonly WirePrompt[] {
  return offered(catalog.prompts, catalog).map(listedPrompt);
}

/** The addresses of many resources that are offered now, as `resources/templates/list` tells of them. */
export function listedTemplates(catalog: Catalog): readonly ResourceTemplateType[] {
  return offered(catalog.resources, catalog).flatMap(({ address, name, title, description, mimeType }) =>
    'uri' in address
      ? []
      : [{ uriTemplate: address.uriTemplate, name, title, description, ...(mimeType !== undefined && { mimeType }) }],
  );
}

/** The SDK's types know no read-only arrays. */
export function listedResource({ annotations, ...resource }: ListedResource): WireResource {
  return { ...resource, ...(annotations !== undefined && { annotations: wireAnnotations(annotations) }) };
}

/** What shows the same as a tool comes and goes with it. */
function offered<T extends { readonly judgedAs: string }>(items: readonly T[], catalog: Catalog): readonly T[] {
  return items.filter((item) => isOffered(item, catalog));
}

function listedPrompt({ name, title, description, arguments: given }: Prompt): WirePrompt {
  return {
    name,
    title,
    description,
    arguments: given.map((argument) => ({
      name: argument.name,
      title: argument.title,
      description: argument.description,
      required: argument.required,
    })),
  };
}
