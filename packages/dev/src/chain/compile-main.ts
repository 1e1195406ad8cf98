/** Compiles the contracts of the local chain and writes their artifact: run it after a change of one of them. */
import { writeFileSync } from 'node:fs'
import { compileContracts } from './compile-contracts.ts'
import { artifactFile } from './dev-contracts.ts'

const artifacts = compileContracts()
writeFileSync(artifactFile, `${JSON.stringify(artifacts)}\n`)
for (const [name, { deployedBytecode }] of Object.entries(artifacts))
  console.log(`${name}: ${(deployedBytecode.length - 2) / 2} bytes`)
