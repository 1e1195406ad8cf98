import { connect, type Socket } from 'node:net'

/** What came back on a socket until the server closed it. */
export type RawAnswer = { status: number; head: string; body: string }

/** Opens a connection to the server of a base URL. */
export function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends bytes as they are and reads until the server closes; the request has to ask for that, or to be refused. */
export async function rawRequest(url: string, request: string | Uint8Array): Promise<RawAnswer> {
  const socket = await openSocket(url)
  socket.write(request)
  return readAnswer(socket)
}

/** Reads a socket to its end; a reset after the answer is an end too. */
export async function readAnswer(socket: Socket): Promise<RawAnswer> {
  const chunks: Buffer[] = []
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('error', () => resolve())
    socket.once('close', () => resolve())
  })
  const text = Buffer.concat(chunks).toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const head = end < 0 ? text : text.slice(0, end)
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: end < 0 ? '' : text.slice(end + 4),
  }
}
