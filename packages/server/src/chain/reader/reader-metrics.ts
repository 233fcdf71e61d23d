import { Counter, Gauge, type Registry } from 'prom-client';
import type { Progress } from './chain-reader.ts';

export interface ReaderMetrics {
  noteProgress(progress: Progress): void;
  /** The node has responded, or this process begins to read the chain. */
  noteContact(): void;
  /** This process no longer reads the chain. */
  noteEnd(): void;
  noteFault(): void;
  noteAlarm(): void;
}

/** The metrics of the chain reader. They stay at zero in processes that do not run it. */
export function createReaderMetrics(registry: Registry): ReaderMetrics {
  const registers = [registry];
  const position = new Gauge({
    name: 'chain_reader_block',
    help: 'The last block whose events are applied',
    registers,
  });
  const head = new Gauge({ name: 'chain_head_block', help: 'The newest block of the node', registers });
  const alarm = new Gauge({
    name: 'chain_reader_alarm',
    help: '1 if the reader has stopped and an operator must intervene',
    registers,
  });
  const faults = new Counter({
    name: 'chain_reader_faults_total',
    help: 'Steps that failed because of the node',
    registers,
  });
  const undone = new Counter({
    name: 'chain_undone_blocks_total',
    help: 'Blocks that reorganizations removed',
    registers,
  });
  let contactAt: number | null = null;
  new Gauge({
    name: 'chain_reader_last_contact_seconds',
    help: 'Time since the node last gave a usable response',
    registers,
    aggregator: 'max',
    collect() {
      this.set(contactAt === null ? 0 : (performance.now() - contactAt) / 1000);
    },
  });
  return {
    noteContact: () => {
      contactAt = performance.now();
    },
    noteEnd: () => {
      contactAt = null;
    },
    noteProgress: (progress) => {
      position.set(progress.position);
      head.set(progress.head);
      undone.inc(progress.undone);
    },
    noteFault: () => faults.inc(),
    noteAlarm: () => {
      alarm.set(1);
      // The reader asks the node for nothing until an operator clears the alarm.
      contactAt = null;
    },
  };
}
