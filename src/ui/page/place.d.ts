/**
 * The build replaces this: each place has a script of its own, without what only the other one draws. A page is a view of the side bar,
 * or a tab that shows one approval.
 */
declare const PLACE: 'sideBar' | 'tab';
