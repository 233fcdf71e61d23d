import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { watchShutdownSignals } from './shutdown-signals.ts';

function watch() {
  const source = new EventEmitter();
  const calls: string[] = [];
  let time = 5_000;
  watchShutdownSignals(source, {
    onFirst: () => calls.push('first'),
    onFurther: (signal) => calls.push(signal),
    now: () => time,
  });
  const sendAfter = (ms: number, signal: string) => {
    time += ms;
    source.emit(signal);
  };
  return { calls, sendAfter };
}

it.each(['SIGINT', 'SIGTERM'])('reports the first %s', (signal) => {
  const { calls, sendAfter } = watch();
  sendAfter(0, signal);
  expect(calls).toEqual(['first']);
});

it('reports a further signal, also if it is another one', () => {
  const { calls, sendAfter } = watch();
  sendAfter(0, 'SIGTERM');
  sendAfter(1_000, 'SIGINT');
  expect(calls).toEqual(['first', 'SIGINT']);
});

it('ignores a repetition of the first signal within a second, as npm sends it for one Ctrl-C', () => {
  const { calls, sendAfter } = watch();
  sendAfter(0, 'SIGINT');
  sendAfter(3, 'SIGINT');
  sendAfter(996, 'SIGINT');
  expect(calls).toEqual(['first']);
});
