import { describe, expect, it } from 'vitest';
import { areaPath, chartTicks, linePath, placeLabels } from './chart-geometry.ts';

describe('the geometry of a chart', () => {
  it('divides the axis at round numbers', () => {
    expect(chartTicks(0)).toEqual([0, 1]);
    expect(chartTicks(Number.NEGATIVE_INFINITY)).toEqual([0, 1]);
    expect(chartTicks(97)).toEqual([0, 25, 50, 75, 100]);
    expect(chartTicks(1_010)).toEqual([0, 500, 1_000, 1_500]);
  });

  it('names the last point, and as many before it at even distances as have room', () => {
    expect(placeLabels(30, 300)).toEqual([9, 19, 29]);
    expect(placeLabels(30, 1_000)).toEqual([2, 5, 8, 11, 14, 17, 20, 23, 26, 29]);
    expect(placeLabels(12, 1_000)).toEqual([1, 3, 5, 7, 9, 11]);
    expect(placeLabels(3, 2_000)).toEqual([0, 1, 2]);
    expect(placeLabels(3, 1)).toEqual([0, 2]);
    expect(placeLabels(1, 500)).toEqual([0]);
    expect(placeLabels(0, 500)).toEqual([]);
  });

  it('draws through every point', () => {
    const positions = [
      { x: 0, y: 10 },
      { x: 10, y: 0 },
    ];
    expect(linePath(positions)).toBe('M0 10C5 10 5 0 10 0');
    expect(areaPath(positions, 20)).toBe('M0 10C5 10 5 0 10 0L10 20L0 20Z');
    expect(areaPath([], 20)).toBe('');
  });
});
