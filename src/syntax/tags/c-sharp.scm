(namespace_declaration name: (_) @name) @namespace
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @enum_member
(delegate_declaration name: (identifier) @name) @function
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @event
(event_declaration name: (identifier) @name) @event
(property_declaration name: (identifier) @name) @property
(constructor_declaration name: (identifier) @name) @constructor
(method_declaration name: (identifier) @name) @method
(local_function_statement name: (identifier) @name) @function
