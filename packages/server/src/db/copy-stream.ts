import { Readable } from 'node:stream'
import type { Client, Connection as PgConnection, Submittable } from 'pg'

/** What the driver's connection has beyond its types. */
type CopyConnection = PgConnection & {
  stream: {
    pause(): void
    resume(): void
    writableNeedDrain: boolean
    once(event: string, call: () => void): void
  }
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/**
 * The bytes of a `copy … to stdout`. The socket is paused while nobody reads. Errors are the database's; destroying it early leaves the
 * connection in the middle of the copy, so that it can only be closed.
 */
export function copyOut(client: Client, text: string): Readable {
  let connection: CopyConnection | undefined
  const bytes = new Readable({
    read: () => connection?.stream.resume(),
  })
  client.query({
    ...silent,
    submit(own) {
      connection = own as CopyConnection
      connection.query(text)
    },
    handleCopyData({ chunk }: { chunk: Uint8Array }) {
      // A copy: the driver fills the same memory with what comes next.
      if (!bytes.push(Buffer.from(chunk))) connection?.stream.pause()
    },
    handleReadyForQuery: () => void bytes.push(null),
    handleError(error: Error) {
      connection?.stream.resume()
      bytes.destroy(error)
    },
  } satisfies Answers)
  return bytes
}

/** Sends the bytes of a source to a `copy … from stdin`. Rejects with the database's error, or the source's: then nothing is copied. */
export function copyIn(client: Client, text: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isRefused = false
  client.query({
    ...silent,
    submit: (connection) => void (connection as CopyConnection).query(text),
    handleCopyInResponse(connection: CopyConnection) {
      send(connection, source, () => isRefused).catch((error: unknown) => {
        reject(error)
        connection.sendCopyFail('the source ended early')
      })
    },
    handleReadyForQuery: () => resolve(),
    handleError(error: Error) {
      isRefused = true
      reject(error)
    },
  } satisfies Answers)
  return promise
}

async function send(
  connection: CopyConnection,
  source: AsyncIterable<Uint8Array>,
  isRefused: () => boolean,
): Promise<void> {
  for await (const chunk of source) {
    if (isRefused()) return
    connection.sendCopyFromChunk(chunk)
    const { stream } = connection
    if (stream.writableNeedDrain) await new Promise<void>((resolve) => stream.once('drain', resolve))
  }
  if (!isRefused()) connection.endCopyFrom()
}

/** The messages that the driver passes on to whoever was submitted. */
type Answers = Submittable & {
  handleCopyData?(message: { chunk: Uint8Array }): void
  handleCopyInResponse?(connection: CopyConnection): void
  handleReadyForQuery(): void
  handleError(error: Error): void
}

const silent = { handleCommandComplete() {}, handleRowDescription() {}, handleDataRow() {} }
