import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addApiRequests } from './api-requests.ts';
import { addChart } from './chart.ts';
import { addClients } from './clients.ts';
import { addCompletion } from './completion.ts';
import { addDoctor } from './doctor.ts';
import { addEvents } from './events.ts';
import { addImages } from './images.ts';
import { addInit } from './init.ts';
import { addKeys } from './keys.ts';
import { addListen } from './listen.ts';
import { addListings } from './listings.ts';
import { addLogin } from './login.ts';
import { addLogout } from './logout.ts';
import { addMcp } from './mcp.ts';
import { addOrders } from './orders.ts';
import { addPayments } from './payments.ts';
import { addProfiles } from './profiles.ts';
import { addSandbox } from './sandbox.ts';
import { addSessions } from './sessions.ts';
import { withConnectionBeforeCommand } from './shared-options.ts';
import { addSign } from './sign.ts';
import { addStrains } from './strains.ts';
import { addTrigger } from './trigger.ts';
import { addWebhooks } from './webhooks.ts';

/** Adds every command, in the order in which the help lists them. */
export function registerCommands(program: Command, context: Context): void {
  program.commandsGroup('Credentials:');
  addLogin(program, context);
  addLogout(program, context);
  addProfiles(program, context);
  addSessions(program, context);
  addDoctor(program, context);
  program.commandsGroup('API requests:');
  addApiRequests(program, context);
  addSign(program, context);
  program.commandsGroup('Shop:');
  addInit(program, context);
  addClients(program, context);
  addOrders(program, context);
  addChart(program, context);
  addStrains(program, context);
  addPayments(program, context);
  addKeys(program, context);
  addListings(program, context);
  addImages(program, context);
  addSandbox(program, context);
  program.commandsGroup('Events:');
  addListen(program, context);
  addEvents(program, context);
  addWebhooks(program, context);
  addTrigger(program, context);
  program.commandsGroup('Other commands:');
  addMcp(program, context);
  addCompletion(program, context);
  program.helpCommand('help [command]', 'Print help for a command');
  finish(program, context, 'keyfront');
}

/** Adds to a command and those below it what all of them have in common. */
function finish(command: Command, context: Context, name: string): void {
  command.showHelpAfterError(`Run \`${name} --help\` for usage.`);
  // `keyfront help keys` is enough. A `help` in every group would only lengthen the lists.
  if (command.parent) command.helpCommand(false);
  if (command.commands.length > 0) withConnectionBeforeCommand(command, context);
  for (const subcommand of command.commands) finish(subcommand, context, `${name} ${subcommand.name()}`);
}
