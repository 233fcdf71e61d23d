import { Counter, Gauge, type Registry } from 'prom-client';
import type { Progress } from './chain-reader.ts';

export interface ReaderMetrics {
  noteProgress(progress: Progress): void;
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
  return {
    noteProgress: (progress) => {
      position.set(progress.position);
      head.set(progress.head);
      undone.inc(progress.undone);
    },
    noteFault: () => faults.inc(),
    noteAlarm: () => alarm.set(1),
  };
}
