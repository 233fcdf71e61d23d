import { Counter, Gauge, type Registry } from 'prom-client';
import type { Progress } from './chain-reader.ts';

export interface ReaderMetrics {
  noteProgress(progress: Progress): void;
  noteFault(): void;
  noteAlarm(): void;
}

/** How the chain reader of this process fares; the processes that do not lead stay at zero. */
export function createReaderMetrics(registry: Registry): ReaderMetrics {
  const registers = [registry];
  const position = new Gauge({
    name: 'chain_reader_block',
    help: 'The last block whose facts are in the tables',
    registers,
  });
  const head = new Gauge({ name: 'chain_head_block', help: 'The newest block of the node', registers });
  const alarm = new Gauge({
    name: 'chain_reader_alarm',
    help: '1 when the reader has stopped and a person has to look',
    registers,
  });
  const faults = new Counter({
    name: 'chain_reader_faults_total',
    help: 'Steps that the node gave nothing of use for',
    registers,
  });
  const undone = new Counter({
    name: 'chain_undone_blocks_total',
    help: 'Blocks that reorganisations took back',
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
