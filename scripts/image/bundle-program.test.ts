import { expect, test } from 'vitest'
import { type Bundle, bundleProgram, bundleSimulatedModule } from './bundle-program.ts'
import { packagesMax, reasonFor } from './file-table.ts'
import { imageLock } from './image-lock.ts'

const textOf = ({ code }: Bundle) => Buffer.from(code).toString('utf8')

test('the enclave program of the image is one file, the same each time, that looks up no package by name', async () => {
  const [once, again] = [await bundleProgram(), await bundleProgram()]
  expect(textOf(once)).toBe(textOf(again))
  expect(textOf(once)).not.toMatch(/sodium-native|secp256k1\/bindings|resolve\(["']tiny-secp256k1/)
  const imported = [...textOf(once).matchAll(/^import .*?["']([^"']+)["'];?$/gm)].map(
    ([, name]) => name ?? '',
  )
  expect(imported.filter((name) => !name.startsWith('node:'))).toEqual([])
})

test('every package in the enclave program has a reason to be there, and they are few', async () => {
  const { packages } = await bundleProgram()
  for (const name of packages.keys()) expect(reasonFor(`${name} 1.0.0`)).toMatch(/\w/)
  expect([...packages.keys()]).not.toContain('elliptic')
  // Node, the WebAssembly and what Debian's lock names are the others.
  expect(packages.size + imageLock().packages.length + 2).toBeLessThanOrEqual(packagesMax)
  expect(() => reasonFor('left-pad 1.3.0 (npm)')).toThrow('why left-pad is in the enclave image')
})

test('the simulated module is in the program of the test image alone', async () => {
  expect(textOf(await bundleProgram())).not.toContain('SIMULATED')
  const simulated = textOf(await bundleSimulatedModule())
  expect(simulated).toContain('SIMULATED NOT AWS')
  expect(simulated.split('\n')[0]).toBe('#!/symbolon/node')
})
