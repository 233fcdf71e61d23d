import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';

const wordList = /^[a-z]+( [a-z]+)*(, [a-z]+( [a-z]+)*)*$/;

describe('catalogue', () => {
  it('has twenty planets in order and three strains on each', () => {
    expect(catalogue.planets.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(catalogue.strains).toHaveLength(60);
    for (const { number } of catalogue.planets) {
      expect(catalogue.strains.filter(({ planet }) => planet === number)).toHaveLength(3);
    }
  });

  it('returns every planet and strain a name of its own', () => {
    for (const list of [catalogue.planets, catalogue.strains]) {
      expect(new Set(list.map(({ name }) => name.toLowerCase())).size).toBe(list.length);
      for (const { description } of list) expect(description.length).toBeGreaterThan(30);
    }
  });

  it('stays within what a catalogue of this kind holds', () => {
    for (const strain of catalogue.strains) {
      expect(strain.priceCents).toBeGreaterThanOrEqual(600);
      expect(strain.priceCents).toBeLessThanOrEqual(1800);
      expect(strain.stock).toBeLessThanOrEqual(900);
      expect(strain.thc + strain.cbd).toBeLessThan(30);
      expect([...strain.countries].sort()).toEqual(strain.countries);
      for (const list of [strain.flavour, strain.feelings, strain.helpsWith]) expect(list).toMatch(wordList);
    }
    expect(catalogue.strains.filter(({ stock }) => stock === 0)).toHaveLength(2);
    expect(catalogue.strains.filter(({ isAvailable }) => isAvailable === false)).toHaveLength(2);
  });

  it('has Lunar Saffron on Verdane', () => {
    expect(catalogue.planets[6]?.name).toBe('Verdane');
    expect(catalogue.strains.find(({ name }) => name === 'Lunar Saffron')).toMatchObject({
      planet: 7,
      type: 'INDICA',
      thc: 18.5,
      cbd: 0.8,
    });
  });
});
