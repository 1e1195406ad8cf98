import { fileURLToPath } from 'node:url'
import { runCli } from './run-cli.ts'

// The bundler makes this module's URL the one of its source, wherever the built program is.
const repository = fileURLToPath(new URL('../../..', import.meta.url))

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  repository,
  print: (text) => process.stdout.write(text),
  say: (text) => process.stderr.write(text),
})
