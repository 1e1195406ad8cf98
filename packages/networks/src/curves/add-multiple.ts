import { modularPower } from './modular-power.ts'
import { fieldPrime as p, type Secp256k1Point } from './secp256k1-point.ts'

/** A point in Jacobian coordinates, affine x being X/Z²; `undefined` is infinity. */
type Jacobian = readonly [x: bigint, y: bigint, z: bigint] | undefined

/** The generator (SEC 2, 2.4.1). */
const generator: Jacobian = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  1n,
]

/** The comb's teeth, each `spacing` bits from the next: 256 sums of multiples of the generator. */
const teeth = 8
const spacing = 256 / teeth

const timesGenerator = generatorMultiplier()

/**
 * The x-coordinate of `point` + `multiple`·G for a multiple below 2^256, `undefined` at infinity. For public numbers,
 * since its duration reveals them; a comb (Lim and Lee), several times as fast as doubling and adding.
 */
export function xOfSum({ x, y }: Secp256k1Point, multiple: bigint): bigint | undefined {
  const sum = add([x, y, 1n], timesGenerator(multiple))
  if (!sum) return undefined
  const [sumX, , z] = sum
  const affineX = (sumX * modularPower((z * z) % p, p - 2n, p)) % p
  return affineX < 0n ? affineX + p : affineX
}

/** Multiplies the generator. The first product makes the table (6 ms), so that a page which makes none does not wait for it. */
function generatorMultiplier(): (multiple: bigint) => Jacobian {
  let comb: readonly Jacobian[] | undefined
  return (multiple) => {
    comb ??= combOf(generator)
    const digits = multiple.toString(2).padStart(256, '0')
    let product: Jacobian
    for (let column = 0; column < spacing; column++) {
      let entry = 0
      for (let tooth = 0; tooth < teeth; tooth++) entry = 2 * entry + Number(digits[tooth * spacing + column])
      product = add(double(product), comb[entry])
    }
    return product
  }
}

/** At `entry` the sum of those 2^(spacing·bit)·`point` whose bit of the entry is set. */
function combOf(point: Jacobian): readonly Jacobian[] {
  const sums: Jacobian[] = [undefined]
  let multiple = point
  for (let tooth = 0; tooth < teeth; tooth++) {
    for (const sum of [...sums]) sums.push(add(sum, multiple))
    for (let bit = 0; bit < spacing; bit++) multiple = double(multiple)
  }
  return sums
}

/** Hankerson, Menezes, Vanstone: Guide to Elliptic Curve Cryptography, 3.2.2, for a = 0. */
function double(point: Jacobian): Jacobian {
  if (!point) return undefined
  const [x, y, z] = point
  const square = (y * y) % p
  const s = (4n * x * square) % p
  const m = 3n * x * x
  const doubledX = (m * m - 2n * s) % p
  return [doubledX, (m * (s - doubledX) - 8n * square * square) % p, (2n * y * z) % p]
}

function add(a: Jacobian, b: Jacobian): Jacobian {
  if (!a || !b) return a ?? b
  const [aX, aY, aZ] = a
  const [bX, bY, bZ] = b
  const aSquare = (aZ * aZ) % p
  const bSquare = (bZ * bZ) % p
  const u = (aX * bSquare) % p
  const s = (((aY * bZ) % p) * bSquare) % p
  const h = (bX * aSquare - u) % p
  const r = (((bY * aZ) % p) * aSquare - s) % p
  if (h === 0n) return r === 0n ? double(a) : undefined
  const hSquare = (h * h) % p
  const hCube = (h * hSquare) % p
  const x = (r * r - hCube - 2n * u * hSquare) % p
  return [x, (r * (u * hSquare - x) - s * hCube) % p, (((h * aZ) % p) * bZ) % p]
}
