import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContractArtifacts } from './dev-contracts.ts'

const folder = fileURLToPath(new URL('../../contracts', import.meta.url))
const require = createRequire(import.meta.url)
/** It has no types of its own. */
const solc = require('solc') as {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string
}

type CompilerOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<string, { abi: unknown[]; evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }>
  >
}

/** Compiles `packages/dev/contracts`: the same source always gives the same bytes. Throws with the compiler's errors. */
export function compileContracts(): ContractArtifacts {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sol'))
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      names.map((name) => [name, { content: readFileSync(path.join(folder, name), 'utf8') }]),
    ),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 10_000 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import: (name) => ({ contents: readFileSync(require.resolve(name), 'utf8') }),
    }),
  ) as CompilerOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return Object.fromEntries(
    names
      .flatMap((name) => Object.entries(output.contracts[name] ?? {}))
      .filter(([, { evm }]) => evm.bytecode.object !== '')
      .map(([name, { abi, evm }]) => [
        name,
        {
          abi,
          bytecode: `0x${evm.bytecode.object}`,
          deployedBytecode: `0x${evm.deployedBytecode.object}`,
        },
      ]),
  ) as unknown as ContractArtifacts
}
