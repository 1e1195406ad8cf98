/** A function that computes its answer when it is first asked and keeps it; an error is not kept. */
export function once<answer>(compute: () => answer): () => answer {
  let kept: { readonly answer: answer } | undefined
  return () => {
    kept ??= { answer: compute() }
    return kept.answer
  }
}
