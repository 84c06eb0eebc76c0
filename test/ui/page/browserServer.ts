import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { browserProgram } from '../../host/systemPackages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which the browser of the page tests listens. */
    readonly browserEndpoint: string;
  }
}

/** Starts one browser for all files of page tests, and ends it after them. */
export default async function startBrowser(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({ executablePath: browserProgram(), args: ['--no-sandbox'] });
  project.provide('browserEndpoint', server.wsEndpoint());
  return () => server.close();
}
