import { expect, test } from 'vitest';
import { commandUri } from '#connect/doctor/finding.ts';
import { doctorHtml } from '#ui/doctor/doctorHtml.ts';

const page = {
  title: 'Doctor',
  verdict: 'It works.',
  severities: { error: 'Error', warning: 'Warning', information: 'Information', good: 'OK' },
  again: { title: 'Check Again', command: 'drawbridge.doctor' },
  styleUri: 'https://webview/doctor.css',
  cspSource: 'https://webview',
  language: 'en',
};

test('shows a finding with a named sign, its sentence, the next step and a link', () => {
  const action = { title: 'Repair...', command: 'drawbridge.connectAssistant', arguments: ['zed'] };
  const html = doctorHtml({ ...page, findings: [{ severity: 'warning', text: 'Old.', advice: 'Repair it.', action }] });
  expect(html).toContain('<span class="sign" role="img" aria-label="Warning">!</span>');
  expect(html).toContain('<p>Old.</p><p class="advice">Repair it. <a href="command:drawbridge.connectAssistant?');
  expect(html).toContain('<a href="command:drawbridge.doctor">Check Again</a>');
  expect(JSON.parse(decodeURIComponent(commandUri(action).split('?')[1] ?? ''))).toEqual(['zed']);
});

test('keeps foreign text as text and runs nothing in the page', () => {
  const text = `<script>alert(1)</script>"'&`;
  const html = doctorHtml({ ...page, findings: [{ severity: 'error', text, advice: text }] });
  expect(html).not.toContain('<script');
  expect(html).toContain(`content="default-src 'none'; style-src https://webview"`);
});
