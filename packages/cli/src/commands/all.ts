import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addChart } from './chart.ts';
import { addCompletion } from './completion.ts';
import { addDoctor } from './doctor.ts';
import { addKeys } from './keys.ts';
import { addLogin } from './login.ts';
import { addLogout } from './logout.ts';
import { addOrders } from './orders.ts';
import { addProfiles } from './profiles.ts';
import { addRequests } from './requests.ts';
import { addSign } from './sign.ts';

/** Adds every command, in the order in which the help lists them. */
export function addCommands(program: Command, cli: Cli): void {
  addLogin(program, cli);
  addLogout(program, cli);
  addProfiles(program, cli);
  addDoctor(program, cli);
  addRequests(program, cli);
  addSign(program, cli);
  addOrders(program, cli);
  addChart(program, cli);
  addKeys(program, cli);
  addCompletion(program, cli);
}
