/** Which places with a warning the user has had on screen (threat row A39). The page tells, and the queue remembers. */
import type { ChangeRequest, UserRequest } from './requests.ts';
import { neededPlaces, placeKey, warnedFile, type WarnedPlace } from './warnedFile.ts';

/** The facts that decide which places of a change must be on screen. */
type ShownChange = Pick<ChangeRequest, 'kind' | 'approval' | 'reviewed' | 'choices' | 'seen'>;
type ShownRequest = ShownChange | Pick<Exclude<UserRequest, ChangeRequest>, 'kind' | 'approval'>;

/** A place with a warning in one file of a change. */
interface PlaceOfFile {
  readonly file: number;
  readonly place: WarnedPlace;
}

/** Places that the record names. */
const mostNamed = 200;

/** Returns whether a change has a warning, whichever parts of it the user left out. */
export function isWarned(request: ShownRequest): boolean {
  if (request.kind !== 'changes') return false;
  return request.reviewed.some((each, index) => warnedFile(each, request.choices[index]).warnings.length > 0);
}

/** Returns whether nothing but a decision of the user about this request alone may apply it. */
export function needsOwnDecision(request: ShownRequest): boolean {
  const { risk, mustReachEnd, judgement } = request.approval;
  const isGuarded = risk === 'delete' || risk === 'execute' || mustReachEnd || judgement.onceOnly;
  return isGuarded || isWarned(request);
}

/** Returns the names of the places that must be on screen before the request is approved as it is now, such as `src/a.ts:12`. */
export function unseenPlaces(request: ShownRequest): readonly string[] {
  if (request.kind !== 'changes') return [];
  const unseen = neededOf(request).filter((each) => !request.seen.has(keyOf(request, each)));
  return unseen.map((each) => nameOf(request, each));
}

/** Returns a request of which this place has been on screen. A place that no warning is about changes nothing. */
export function withSeen<Request extends ShownChange>(request: Request, file: number, place: WarnedPlace): Request {
  const reviewed = request.reviewed[file];
  if (reviewed === undefined) return request;
  const { places } = warnedFile(reviewed, request.choices[file]);
  if (!places.some((each) => areSame(each, place))) return request;
  return { ...request, seen: new Set(request.seen).add(keyOf(request, { file, place })) };
}

/** Returns the names of the places that were on screen, at most 200. */
export function namesOfSeen(request: ShownChange): readonly string[] {
  const seen = neededOf(request).filter((each) => request.seen.has(keyOf(request, each)));
  return seen.slice(0, mostNamed).map((each) => nameOf(request, each));
}

function nameOf({ approval }: ShownChange, { file, place }: PlaceOfFile): string {
  const path = approval.files[file]?.path ?? '';
  if (place.side === 'name') return path;
  return place.side === 'after' ? `${path}:${place.line}` : `${path}:${place.line} before`;
}

function neededOf({ reviewed, choices }: ShownChange): PlaceOfFile[] {
  return reviewed.flatMap((each, file) => neededPlaces(each, choices[file]).map((place) => ({ file, place })));
}

function keyOf({ reviewed, choices }: ShownChange, { file, place }: PlaceOfFile): string {
  const each = reviewed[file];
  return each === undefined ? '' : placeKey(each, choices[file], file, place);
}

function areSame(one: WarnedPlace, other: WarnedPlace): boolean {
  if (one.side === 'name' || other.side === 'name') return one.side === other.side;
  return one.side === other.side && one.line === other.line;
}
