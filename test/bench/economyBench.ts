import { type Economy, measureEconomy } from './economy.ts';
import type { Measurement } from './report.ts';

const toolListBudget = 15 * 1024;

/** Compares the bytes that the tools and twenty tasks cost a model with a server that sends all blocks to every client. */
export async function benchEconomy(): Promise<Measurement[]> {
  const economy = await measureEconomy();
  return [...toolLists(economy), ...totals(economy), ...tasks(economy)];
}

function toolLists({ toolList }: Economy): Measurement[] {
  return Object.entries(toolList).map(([toolset, value]) => ({
    topic: 'tools/list',
    what: toolset,
    value,
    unit: 'bytes',
    ...(toolset === 'total' ? { target: { atMost: toolListBudget } } : {}),
    detail: 'name, description and input schema of the tools that are on',
  }));
}

function totals({ total, naive, forms }: Economy): Measurement[] {
  const ofClients = Object.entries(total).map(([client, value]): Measurement => {
    const all = naive[client] ?? 0;
    const saved = all === 0 ? '' : `, ${Math.round((1 - value / all) * 100)} % less`;
    const detail = all === 0 ? 'with all four blocks this client shows nothing' : `with all four blocks ${all}${saved}`;
    const isDefault = client === 'unknown';
    return { topic: '20 tasks', what: client, value, unit: 'bytes', detail: isDefault ? 'all four blocks' : detail };
  });
  const ofForms = Object.entries(forms).map(([form, value]): Measurement => {
    return { topic: '20 tasks', what: `${form} alone`, value, unit: 'bytes', detail: 'pages of an unknown client' };
  });
  return [...ofClients, ...ofForms];
}

function tasks({ tasks: byTask }: Economy): Measurement[] {
  return Object.entries(byTask).map(([task, clients]) => {
    const detail = Object.entries(clients)
      .map(([client, bytes]) => `${client} ${bytes}`)
      .join(', ');
    return { topic: 'tasks', what: task, value: clients['claude-code'] ?? 0, unit: 'bytes', detail };
  });
}
