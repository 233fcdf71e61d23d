export {
  ConnectionPool,
  isPoolExhausted,
  type PrepareConnection,
  serverOf,
  toUnavailable,
} from './connection/connection-pool.ts';
export {
  describeAddress,
  describeServer,
  parseServers,
  readUser,
  type TargetSession,
} from './connection/connection-url.ts';
export { PrimaryWatch } from './connection/primary-watch.ts';
export { readServerActivity } from './connection/server-activity.ts';
export { ServerList } from './connection/server-list.ts';
export {
  acceptsWrites,
  closeSession,
  describeError,
  destroySession,
  openSession,
} from './connection/session.ts';
export { openSessionPool } from './connection/session-pool.ts';
export { defaultSilenceTiming, type SilenceTiming, SilenceWatch } from './connection/silence-watch.ts';
export { DatabaseUnavailable, isUnavailable } from './connection/unavailable.ts';
export { type CsvKind, CsvLines, lineEnd } from './csv/csv-lines.ts';
export { executeRaw, type RowWriter } from './statements/execute-raw.ts';
export {
  arePrepared,
  commitTransaction,
  execute,
  type LeadingStatement,
  observeQueries,
} from './statements/pipelined-query.ts';
export { findPlannerSettings, plannerSettings } from './statements/planner-settings.ts';
export { parseAmount } from './statements/row-reader.ts';
export { type Statement, type StatementOptions, statement } from './statements/statement.ts';
export { findViolatedConstraint, findViolatedIndex } from './statements/unique-violation.ts';
