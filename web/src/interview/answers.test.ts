import { describe, expect, it } from 'vitest';
import { fromValues, newReader, toValues, unanswered } from './answers';

describe('answers in an address', () => {
  it('come back as they were', () => {
    const answers = { ...unanswered(), what: 'orders', rate: '120/s', readers: [{ ...newReader('billing'), takes: '20ms', at_a_time: '8' }, newReader('search')] };
    expect(fromValues(toValues(answers))).toEqual(answers);
  });
  it('are none without values', () => expect(fromValues({})).toBeNull());
  it('take nothing that is no answer', () => expect(fromValues({ other: 'x', readers: 'y' })).toEqual(unanswered()));
});
