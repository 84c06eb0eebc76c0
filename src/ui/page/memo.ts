import { Component, createElement, type ComponentChildren, type FunctionComponent } from 'preact';

/** Draws a component again only when one of its properties is another one. */
export function memo<Props extends object>(draw: (props: Props) => ComponentChildren): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const now = this.props;
      const names = new Set([...Object.keys(now), ...Object.keys(next)]);
      return [...names].some((name) => Reflect.get(now, name) !== Reflect.get(next, name));
    }

    override render(): ComponentChildren {
      return draw(this.props);
    }
  }
  return (props) => createElement(Memo, props);
}
