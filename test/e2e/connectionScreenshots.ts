/** Pictures of how an assistant is connected and of who is, in every theme, into `.screenshots`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startHost } from '../host/host.ts';
import { repository } from '../host/hostFolder.ts';
import { packageExtension } from '../host/packageExtension.ts';
import { windowRecordOf } from '../host/windowFile.ts';
import { resizeSideBar } from './approvalsPage.ts';
import { connectAssistant } from './assistant.ts';
import { openConnections, openPane } from './connectionsPane.ts';
import { exampleExtension, packagedExtension, tempWorkspace, toyLanguage } from './harness.ts';
import { narrow, themes, wide } from './pictures.ts';

await packageExtension();
const home = tempWorkspace({ '.codex/config.toml': '# Mine\nmodel = "o9"\n', '.claude.json': '{}\n' }, 'user');
const host = await startHost({
  extensions: [packagedExtension(), toyLanguage, exampleExtension],
  home: join(home, '.drawbridge'),
  environment: { HOME: home, CODEX_HOME: join(home, '.codex') },
  settings: { 'workbench.colorTheme': themes.dark, 'drawbridge.approvals.notify': 'off' },
});
const window = await host.openWindow({ folder: tempWorkspace({ 'src/cart.ts': 'export {};\n' }, 'shop') });
const list = window.page.locator('.quick-input-widget');
try {
  await pictureWalkthrough();
  await pictureConnecting();
  await pictureToken();
  await pictureConnections();
  await pictureTools();
  await pictureContext();
  await pictureWhatIsSent();
  await pictureMenu();
  await pictureDoctor();
} catch (error) {
  await window.screenshot('failed');
  throw error;
} finally {
  await host.stop();
}

/** The four steps, wide enough for their pictures. */
async function pictureWalkthrough(): Promise<void> {
  await window.setViewport(1600, 900);
  const steps = {
    connect: 'Connect an assistant',
    ask: 'Ask the assistant something',
    review: 'Review a change',
    rules: 'Set rules, and undo',
  };
  for (const [name, title] of Object.entries(steps)) {
    await window.page.locator('.gettingStartedContainer').getByRole('button', { name: title }).first().click();
    await inEveryTheme(`walkthrough-${name}`);
  }
}

/** The list, the question with the change in it, and the news that it is done. */
async function pictureConnecting(): Promise<void> {
  await window.setViewport(1280, 800);
  void window.command('drawbridge.connectAssistant');
  await list.getByRole('option', { name: /Codex/ }).waitFor();
  await inEveryTheme('connect-list');
  await list.getByRole('option', { name: /Codex/ }).click();
  const question = window.page.getByRole('dialog', { name: /Connect Codex/ });
  await question.waitFor();
  await inEveryTheme('connect-question');
  await question.getByRole('button', { name: 'Connect', exact: true }).click();
  await window.page.locator('.notifications-toasts').getByRole('button', { name: 'Undo' }).waitFor();
  await inEveryTheme('connected');
  await window.command('notifications.clearAll');
  void window.command('drawbridge.connectAssistant');
  await list.getByRole('option', { name: /Something Else/ }).click();
  await list.getByRole('option', { name: /Copy URL/ }).waitFor();
  await inEveryTheme('connect-something-else');
  await window.page.keyboard.press('Escape');
}

async function pictureToken(): Promise<void> {
  void window.command('drawbridge.createToken');
  await list.locator('input').first().waitFor();
  await inEveryTheme('token-name');
  await window.page.keyboard.type('Warp');
  await window.page.keyboard.press('Enter');
  await window.page.getByRole('dialog', { name: /Access token/ }).waitFor();
  await inEveryTheme('token-secret');
  await window.page.keyboard.press('Escape');
}

/** The panel, and the view with something in every section by itself. */
async function pictureConnections(): Promise<void> {
  const record = await windowRecordOf(host.home, window);
  const claude = await connectAssistant(record, { name: 'claude-code' });
  const codex = await connectAssistant(record, { name: 'codex-mcp-client' });
  await codex.say('read_file', { path: 'src/cart.ts' });
  void claude.propose([{ path: 'src/cart.ts', oldText: 'export {};', newText: 'export const cart = [];' }]);
  const other = await host.openWindow({ folder: tempWorkspace({ 'a.ts': '' }, 'neighbour') });
  await windowRecordOf(host.home, other);
  await window.command('drawbridge.rules.focus');
  await window.page.getByRole('tree', { name: 'Rules' }).getByRole('treeitem').first().waitFor();
  await inEveryTheme('manage');
  const pane = await openConnections(window);
  await pane.getByRole('treeitem', { name: /^Claude Code, 1 waiting/ }).waitFor();
  await pane.getByRole('treeitem', { name: /^Other Windows/ }).click();
  await pane.getByRole('treeitem', { name: /^neighbour/ }).waitFor();
  await window.page.mouse.move(900, 700);
  await picturePanel('connections');
}

/** Two headings open: tools of ours, and those of other extensions, one of them changed since it was confirmed. */
async function pictureTools(): Promise<void> {
  const words = 'drawbridge-example.word-counter/count_words';
  await window.evaluate(
    async (vscode, name) =>
      vscode.workspace
        .getConfiguration('drawbridge')
        .update('relay.tools', [{ name, hash: 'of another' }], vscode.ConfigurationTarget.Global),
    words,
  );
  const pane = await openPane(window, 'Tools');
  await pane.getByRole('treeitem', { name: /^Other Extensions/ }).click();
  await pane.getByRole('treeitem', { name: /changed, confirm again/ }).waitFor();
  // A click beside the arrow would only select a row with a box.
  await pane
    .getByRole('treeitem', { name: /^Workspace/ })
    .locator('.monaco-tl-twistie')
    .click();
  await pane.getByRole('treeitem', { name: /^read_files/ }).waitFor();
  await window.page.mouse.move(900, 700);
  await picturePanel('tools');
  const box = pane.getByRole('treeitem', { name: /changed, confirm again/ }).getByRole('checkbox');
  await box.click();
  const question = window.page.getByRole('dialog', { name: /has changed/ });
  await question.waitFor();
  await inEveryTheme('tools-question');
  await window.page.keyboard.press('Escape');
  void window.command('drawbridge.findTool');
  await list
    .getByRole('checkbox', { name: /^read_files/ })
    .first()
    .waitFor();
  await inEveryTheme('tools-search');
  await window.page.keyboard.press('Escape');
}

/** What the user marked: a file, and lines of one, below where it was added. */
async function pictureContext(): Promise<void> {
  await window.evaluate(async (vscode) => {
    const [file] = await vscode.workspace.findFiles('src/cart.ts');
    if (file === undefined) throw new Error('There is no src/cart.ts');
    await vscode.commands.executeCommand('drawbridge.addToContext', file, [file]);
    await vscode.window.showTextDocument(file, { selection: new vscode.Range(0, 0, 0, 6) });
    await vscode.commands.executeCommand('drawbridge.addToContext');
  });
  const pane = await openPane(window, 'Assistant Context');
  await pane.getByRole('treeitem', { name: /line 1/ }).hover();
  await pictureSideBar('context');
  await window.command('drawbridge.clearContext');
}

async function picturePanel(what: string): Promise<void> {
  mkdirSync(join(repository, '.screenshots'), { recursive: true });
  for (const [name, theme] of Object.entries(themes)) {
    await window.setColorTheme(theme);
    const path = join(repository, '.screenshots', `${what}-${name}.png`);
    await window.page.locator('.part.panel').screenshot({ path, animations: 'disabled' });
  }
}

async function pictureSideBar(what: string): Promise<void> {
  mkdirSync(join(repository, '.screenshots'), { recursive: true });
  for (const [name, theme] of Object.entries(themes)) {
    await window.setColorTheme(theme);
    for (const width of [wide, narrow]) {
      await resizeSideBar(window, width);
      const path = join(repository, '.screenshots', `${what}-${name}${width === narrow ? `-${width}` : ''}.png`);
      await window.page.locator('.part.sidebar').screenshot({ path, animations: 'disabled' });
    }
  }
  await resizeSideBar(window, wide);
}

/** The menu of an assistant's row, what it opens, and the parts of a result; the last in a narrow window too. */
async function pictureWhatIsSent(): Promise<void> {
  const pane = await openConnections(window);
  await pane.getByRole('treeitem', { name: /^Codex/ }).click();
  await window.page.keyboard.press('Shift+F10');
  const entry = window.page.locator('.monaco-menu').getByRole('menuitem', { name: /Change Result Format/ });
  await entry.waitFor();
  await window.screenshot('what-is-sent-menu');
  await entry.click();
  await list.getByRole('option', { name: /Parts of a Result/ }).waitFor();
  await inEveryTheme('what-is-sent');
  await list.getByRole('option', { name: /Parts of a Result/ }).click();
  await list
    .getByRole('checkbox', { name: /Structured data/ })
    .first()
    .waitFor();
  await inEveryTheme('what-is-sent-parts');
  await window.setViewport(500, 800);
  await window.screenshot('what-is-sent-narrow');
  await window.setViewport(1280, 800);
  await window.page.keyboard.press('Escape');
}

async function pictureMenu(): Promise<void> {
  await window.command('workbench.view.explorer');
  void window.command('drawbridge.showMenu');
  await list.getByRole('option', { name: /Doctor/ }).waitFor();
  await inEveryTheme('menu');
  await window.page.keyboard.press('Escape');
}

/** Takes pictures of Doctor without and with findings, also in a narrow editor. */
async function pictureDoctor(): Promise<void> {
  await window.command('drawbridge.doctor');
  await window.webview('main li');
  await inEveryTheme('doctor');
  await window.command('drawbridge.stop');
  await window.command('drawbridge.doctor');
  await window.webview('main li.error');
  await inEveryTheme('doctor-stopped');
  await window.command('workbench.action.closeSidebar');
  await window.setViewport(narrow + 50, 900);
  await inEveryTheme(`doctor-stopped-${narrow}`);
}

async function inEveryTheme(what: string): Promise<void> {
  for (const [name, theme] of Object.entries(themes)) {
    await window.setColorTheme(theme);
    await window.screenshot(`${what}-${name}`);
  }
}
