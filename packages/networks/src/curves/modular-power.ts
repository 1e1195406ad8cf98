/** `value` to the power of `exponent` modulo `modulus`, four bits at a time; for public numbers, since its duration reveals them. */
export function modularPower(value: bigint, exponent: bigint, modulus: bigint): bigint {
  const powers = [1n]
  for (let power = value; powers.length < 16; power = (power * value) % modulus) powers.push(power)
  let result = 1n
  for (const digit of exponent.toString(16)) {
    for (let bit = 0; bit < 4; bit++) result = (result * result) % modulus
    if (digit !== '0') result = (result * (powers[Number.parseInt(digit, 16)] ?? 0n)) % modulus
  }
  return result
}
