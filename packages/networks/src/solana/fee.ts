import { byteReader } from '../codec/byte-reader.ts'
import type { Instruction } from './instruction.ts'
import type { SolanaMessage } from './transaction-message.ts'

/** The Compute Budget program; its instructions set the price of the whole transaction. */
export const computeBudgetAddress = 'ComputeBudget111111111111111111111111111111'

/** Lamports a signature, of the transaction or of one that it lets the runtime check. */
const signatureLamports = 5000n
/** Compute units where no limit is set: of an instruction, of one of a program of the runtime (SIMD-170); and the most there are. */
const unitsDefault = 200_000n
const unitsBuiltIn = 3_000n
const unitsMax = 1_400_000n

const systemAddress = '1'.repeat(32)

/**
 * The fee in lamports in the worst case: 5,000 a signature, and price (micro-lamports) * limit, rounded up. Of several
 * limits or prices the highest counts (the runtime refuses such a transaction). What stands behind a limit or price changes nothing: the
 * runtime reads no further.
 */
export function solanaFee({ signers }: SolanaMessage, instructions: readonly Instruction[]): bigint {
  let signatures = BigInt(signers)
  let price = 0n
  let limit: bigint | undefined
  let others = 0n
  let builtIn = 0n
  for (const { program, data, known } of instructions) {
    if (known?.row.name === 'verifySignatures') signatures += BigInt(data[0] ?? 0)
    if (program === computeBudgetAddress || program === systemAddress) builtIn++
    if (program !== computeBudgetAddress) others++
    else if (data[0] === 2 && data.length >= 5) limit = max(limit ?? 0n, BigInt(byteReader(data, 1).u32()))
    else if (data[0] === 3 && data.length >= 9) price = max(price, byteReader(data, 1).u64())
  }
  const foreign = BigInt(instructions.length) - builtIn
  const units = limit ?? max(unitsDefault * others, unitsDefault * foreign + unitsBuiltIn * builtIn)
  return (
    signatures * signatureLamports + (price * (units < unitsMax ? units : unitsMax) + 999_999n) / 1_000_000n
  )
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
