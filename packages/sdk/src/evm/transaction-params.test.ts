import { expect, test } from 'vitest'
import { wantedTransaction } from './transaction-params.ts'

test.each(['value', 'gas', 'gasLimit', 'nonce', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'])(
  'a number as `%s` is refused with the form that it needs',
  (name) => {
    for (const wrong of [5, '5', 5n, '0x', '0xg'])
      expect(() => wantedTransaction({ [name]: wrong })).toThrow(
        expect.objectContaining({
          code: -32602,
          message: `\`${name}\` must be 0x-prefixed hex, such as \`0x5\`.`,
        }),
      )
    expect(wantedTransaction({ [name]: '0x5' })).toBeTypeOf('object')
  },
)
