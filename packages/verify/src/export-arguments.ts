import { parsedArguments, refuseMore, UsageError } from './usage-error.ts'

/** The parsed command line of `verify export`; files are paths, `exportFile` is `-` for standard input. */
export type ExportArguments = {
  readonly exportFile: string
  readonly checkpointFile: string | undefined
  readonly keyFiles: readonly string[]
  readonly earlierFiles: readonly string[]
  readonly organizationId: string | undefined
  readonly host: string | undefined
  readonly isJsonWanted: boolean
}

/** How `verify export` is called by a person who calls the program `called`. */
export const exportUsage = (called: string): string => `Verifies the export of an audit log. It works offline.

  ${called} export <export.ndjson> [--jwks <file>]... [--checkpoint <file>] [--consistent-with <file>]...
                 [--organization <id>] [--host <host>] [--json]

  <export.ndjson>     the export as downloaded; - reads standard input
  --jwks              the platform's public keys (/.well-known/jwks.json); repeat it for former keys
  --checkpoint        the signed head of exactly this export, as the API returned it or just its note. An export with
                      checkpoint=true brings its own as the last line
  --consistent-with   an earlier checkpoint: the export must begin with the lines it covers; repeatable
  --organization      the organization that the log must belong to
  --host              the platform that it must come from: host, or host:port, of its URL
  --json              the report as JSON

Exit codes: 0 verified, 1 failed, 2 wrong usage or unreadable file, 3 unproven (no checkpoint, or no keys).
`

/** Reads the command line; `help` where it is wanted. Throws `UsageError`. */
export function exportArguments(args: readonly string[]): ExportArguments | 'help' {
  const { values, positionals } = parsedArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      jwks: { type: 'string', multiple: true, default: [] as string[] },
      checkpoint: { type: 'string' },
      'consistent-with': { type: 'string', multiple: true, default: [] as string[] },
      organization: { type: 'string' },
      host: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [exportFile, ...more] = positionals
  if (values.help) return 'help'
  if (exportFile === undefined) throw new UsageError('The file of an export is required.')
  refuseMore(more)
  return {
    exportFile,
    checkpointFile: values.checkpoint,
    keyFiles: values.jwks,
    earlierFiles: values['consistent-with'],
    organizationId: values.organization,
    host: values.host,
    isJsonWanted: values.json,
  }
}
