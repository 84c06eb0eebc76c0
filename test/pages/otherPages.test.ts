import { createServer } from 'node:http';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { browserProgram } from '../host/systemPackages.ts';
import { callEcho, modern, send, startTestServer } from '../mcp/fixture.ts';

/** A name of the attacker that leads to this machine, as after DNS rebinding. */
const evilHost = 'evil.example';

const site = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end('<!doctype html><title>A page of somebody else</title>');
});
let browser: Browser;
let page: Page;
let sitePort: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen({ host: '127.0.0.1', port: 0 }, resolve));
  sitePort = z.object({ port: z.int() }).parse(site.address()).port;
  const args = ['--no-sandbox', `--host-resolver-rules=MAP ${evilHost} 127.0.0.1`];
  browser = await chromium.launch({ executablePath: browserProgram(), args });
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  site.closeAllConnections();
  site.close();
});

/** Runs in the page: sends every kind of request that a page can, and returns what it got to see. */
const attack = `async ({ addresses, headers, bodies }) => {
  const seen = [];
  const attempt = async (address, init) => {
    try {
      const answer = await fetch(address, init);
      seen.push([answer.type, answer.status, await answer.text()].join(' '));
    } catch {
      // The browser did not send it, or does not show the answer.
    }
  };
  const closed = (target, opened, failed) => new Promise((resolve) => {
    target.addEventListener(opened, () => seen.push(target.constructor.name + ' opened'));
    target.addEventListener(failed, () => { target.close(); resolve(); });
  });
  for (const address of addresses) {
    for (const body of bodies) {
      await attempt(address, { method: 'POST', headers, body });
      await attempt(address, { method: 'POST', headers, body, credentials: 'include' });
      await attempt(address, { method: 'POST', mode: 'no-cors', body });
      navigator.sendBeacon(address, body);
    }
    await attempt(address, { method: 'GET', mode: 'no-cors' });
    await closed(new WebSocket(address.replace('http', 'ws')), 'open', 'close');
    await closed(new EventSource(address), 'open', 'error');
  }
  return seen;
}`;

test.each([
  ['this machine under another port', '127.0.0.1'],
  ['localhost under another port', 'localhost'],
  ['a name that leads to this machine', evilHost],
])('H2: a page of %s can run no tool, even with the token, and reads no answer', async (_what, host) => {
  const started = await startTestServer();
  const { server, product, port } = started;
  const { headers, body } = modern(server.token, 1, 'tools/call', {
    name: 'echo',
    arguments: { text: 'by a program' },
  });
  // The same call by a program with the token runs the tool.
  expect((await send(port, 'POST', headers, body)).status).toBe(200);
  expect(product.calls).toHaveLength(1);

  await page.goto(`http://${host}:${sitePort}/`);
  const tries = {
    addresses: [`http://127.0.0.1:${port}/mcp`, `http://localhost:${port}/mcp`, `http://${evilHost}:${port}/mcp`],
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Host')),
    bodies: [body, callEcho(1, 'by a page')],
  };
  const read = z.array(z.string()).parse(await page.evaluate(`(${attack})(${JSON.stringify(tries)})`));
  // What a page sends without asking is answered, but the page sees neither the status nor the text.
  expect(read.filter((answer) => answer !== 'opaque 0 ')).toEqual([]);

  for (const text of tries.bodies) {
    const form = await browser.newPage();
    await form.goto(`http://${host}:${sitePort}/`);
    const answered = form.waitForResponse((response) => response.url().startsWith(`http://127.0.0.1:${port}/`));
    await form.evaluate(`{
      document.body.innerHTML = '<form method="post" enctype="text/plain" action="http://127.0.0.1:${port}/mcp"><input>';
      document.forms[0].elements[0].name = ${JSON.stringify(text)};
      document.forms[0].submit();
    }`);
    expect((await answered).status()).toBe(403);
    await form.close();
  }
  expect(product.calls.map((call) => call.arguments)).toEqual([{ text: 'by a program' }]);
  expect(product.asked).toEqual([]);
});
