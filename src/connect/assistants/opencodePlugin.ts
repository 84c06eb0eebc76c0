import type { LauncherCommand } from '../assistant.ts';

/** The first words of the plugin file, by which a file of ours is recognised. */
export const opencodePluginMark = '// Drawbridge wrote this plugin, by which opencode asks about its own edits.';

/**
 * Returns the text of the plugin that makes opencode ask Drawbridge before its own edits and commands, for a file `drawbridge.js` in the
 * folder `plugins` of its configuration. opencode has no hooks that start a program, so the plugin starts the launcher for each call.
 * It is one module without dependencies, for Bun and Node. It must export nothing else: opencode calls each export as a plugin.
 */
export function opencodePlugin({ command, args }: LauncherCommand): string {
  const words = [command, ...args].map((word) => JSON.stringify(word)).join(', ');
  return `${opencodePluginMark}
// The extension replaces this file: do not edit it. Without the launcher below it does nothing.
const command = [${words}];
${pluginBody}`;
}

const pluginBody = String.raw`
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const launcher = command[command.length - 1];
const guards = join(dirname(dirname(launcher)), 'guards');

// The tools that write files or run commands. Hooks of other tools would slow them down for nothing.
const guardedTools = ['edit', 'write', 'apply_patch', 'patch', 'multiedit', 'bash'];

// The launcher sets the variables that its programs need, so it gets none but these, without which Windows starts no program.
const names = ['SystemRoot', 'SystemDrive', 'ComSpec', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'];
const env = Object.fromEntries(names.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])));

export const Drawbridge = async ({ directory }) => {
  // The parent of each session that a subagent works in.
  const parents = new Map();
  // The last prompt of each session, with its id and the agent that works on it.
  const prompts = new Map();
  // The calls that wait for an answer or run: the session, the input of the hook, the program, and the words for the model.
  const calls = new Map();
  // The sessions of the user that have begun here.
  const sessions = new Set();
  let shell = process.env.SHELL;

  // Tells Drawbridge of the moments in the sessions of the user, one after the other. opencode waits for them only when it ends.
  let told = Promise.resolve();
  const tell = (event, sessionID) => {
    const moment = { drawbridge: 'opencode', version: 1, event, sessionID, directory };
    told = told.then(() => existsSync(launcher) && run(['hook', 'moment'], JSON.stringify(moment)));
  };

  const inputOf = (event, { tool, sessionID, callID }, args) => {
    let root = sessionID;
    for (let depth = 0; parents.has(root) && depth < 20; depth += 1) root = parents.get(root);
    const kind = prompts.get(sessionID)?.agent;
    return {
      drawbridge: 'opencode',
      version: 1,
      event,
      sessionID: root,
      messageID: prompts.get(root)?.id,
      callID,
      ...(root !== sessionID && { agent: { id: sessionID, kind: kind || 'subagent' } }),
      tool,
      args,
      directory,
      ...(tool === 'bash' && { shell }),
    };
  };

  const end = (key) => {
    const call = calls.get(key);
    calls.delete(key);
    if (call?.child === undefined) return;
    // opencode would go on with the edit after the user has stopped it.
    call.isStopped = true;
    call.child.kill();
  };
  const endSession = (sessionID) => {
    for (const [key, call] of calls) if (call.sessionID === sessionID) end(key);
  };

  return {
    async config(settings) {
      if (typeof settings.shell === 'string') shell = settings.shell;
    },

    async 'chat.message'({ sessionID }, { message }) {
      prompts.set(sessionID, { id: message.id, agent: message.agent });
    },

    async event({ event: { type, properties } }) {
      const { info, part, sessionID } = properties ?? {};
      if ((type === 'session.created' || type === 'session.updated') && info?.parentID) {
        parents.set(info.id, info.parentID);
      }
      if (type === 'session.created' && info && !info.parentID) {
        sessions.add(info.id);
        tell('sessionBegan', info.id);
      }
      // The user stopped the session. Nobody waits for the answer any more, so the card is withdrawn.
      if (type === 'session.idle' || type === 'session.error') endSession(sessionID);
      if (type === 'session.idle' && !parents.has(sessionID)) tell('turnEnded', sessionID);
      if (type === 'session.deleted' && info) {
        endSession(info.id);
        if (!parents.delete(info.id)) tell('sessionEnded', info.id);
        prompts.delete(info.id);
        sessions.delete(info.id);
      }
      // The call was stopped, or has failed.
      if (type === 'message.part.updated' && part?.type === 'tool' && part.state?.status === 'error') {
        const key = keyOf(part);
        const call = calls.get(key);
        end(key);
        if (call?.isAllowed) await ask({ ...call.input, event: 'after' }).catch(() => undefined);
      }
    },

    async 'tool.execute.before'(call, output) {
      if (!guardedTools.includes(call.tool)) return;
      const key = keyOf(call);
      const input = inputOf('before', call, output.args);
      const entry = { sessionID: call.sessionID, input };
      calls.set(key, entry);
      let answer;
      try {
        answer = await ask(input, (child) => {
          entry.child = child;
        });
        if (entry.isStopped) throw new Error('The user stopped this ' + nounOf(call) + ', so it was not ' + verbOf(call) + '.');
      } catch (error) {
        calls.delete(key);
        throw error;
      }
      delete entry.child;
      entry.isAllowed = true;
      // opencode ignores another object in place of this one.
      Object.assign(output.args, answer?.args);
      entry.words = answer?.words;
      if (answer !== undefined) keep(output.args, call);
    },

    async 'tool.execute.after'(call, output) {
      const key = keyOf(call);
      const entry = calls.get(key);
      if (entry === undefined) return;
      calls.delete(key);
      if (entry.words) output.output = [output.output, entry.words].filter(Boolean).join('\n\n');
      // The call is made, so a fault is no reason to fail now.
      await ask({ ...entry.input, event: 'after' }).catch(() => undefined);
    },

    // opencode ends. Where it is killed, the hook program sees that by itself.
    async dispose() {
      for (const key of calls.keys()) end(key);
      for (const sessionID of sessions) tell('sessionEnded', sessionID);
      await told;
    },
  };

  // Asks Drawbridge, for as long as the user needs. Throws words for the model when the call must not be made.
  async function ask(input, started) {
    if (!existsSync(launcher)) return undefined;
    const { code, stdout, stderr, fault } = await run(['hook'], JSON.stringify(input), started);
    if (code === 0 && stdout === '') return undefined;
    if (code === 2) throw new Error(stderr.trim() || 'Drawbridge refused this ' + nounOf(input) + '. Tell the user.');
    const answer = code === 0 ? parsed(stdout) : undefined;
    if (answer?.decision === 'allow') return answer;
    if (answer?.decision === 'deny') throw new Error(answer.words);
    // When no window guards a folder, a fault of Drawbridge must not stop a call.
    if (!isAnythingGuarded()) return undefined;
    const reason = fault ?? (code === 0 ? 'its answer cannot be read' : 'it ended with code ' + code);
    const words = 'Drawbridge could not look at this ' + nounOf(input) + ', so it was not ' + verbOf(input) + ': ';
    throw new Error(words + reason + '. Tell the user.');
  }

  function run(args, text, started) {
    return new Promise((resolve) => {
      let child;
      try {
        const options = { cwd: existsSync(directory) ? directory : dirname(launcher), env, windowsHide: true };
        child = spawn(command[0], [...command.slice(1), ...args], options);
      } catch (error) {
        resolve({ fault: String(error) });
        return;
      }
      started?.(child);
      const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
        const chunks = [];
        stream.on('data', (chunk) => chunks.push(chunk));
        return chunks;
      });
      const textOf = (chunks) => Buffer.concat(chunks).toString('utf8');
      child.once('error', (error) => resolve({ fault: error.message }));
      child.once('close', (code, signal) => {
        const fault = signal ? 'it was stopped by ' + signal : undefined;
        resolve({ code, stdout: textOf(stdout), stderr: textOf(stderr), fault });
      });
      // A program that does not read its input may have closed it.
      child.stdin.on('error', () => undefined);
      child.stdin.end(text);
    });
  }
};

function keyOf({ sessionID, callID }) {
  return JSON.stringify([sessionID, callID]);
}

function nounOf({ tool }) {
  return tool === 'bash' ? 'command' : 'edit';
}

function verbOf({ tool }) {
  return tool === 'bash' ? 'run' : 'made';
}

// Other plugins run after this one. They must not change the call that the user approved.
function keep(args, call) {
  const refuse = () => {
    throw new Error(
      'Another plugin of opencode wanted to change this ' + nounOf(call) + ' after the user had approved it, so it was not ' +
        verbOf(call) + '. Tell the user.',
    );
  };
  for (const [key, value] of Object.entries(args)) {
    Object.defineProperty(args, key, { get: () => value, set: refuse, enumerable: true, configurable: false });
  }
  Object.preventExtensions(args);
}

function isAnythingGuarded() {
  try {
    return readdirSync(guards).length > 0;
  } catch (error) {
    return error.code !== 'ENOENT';
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
`;
